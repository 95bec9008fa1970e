//go:build !cgo

package syntax

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Engine is how symbols are found in this build.
const Engine = "lines"

// definition is a line that defines something by a name.
var definition = map[string]*lazyregexp.Regexp{
	"go":         lazyregexp.New(`^(?:func (?:\(\w*\s*\*?(\w+)[^)]*\) )?(\w+)|type (\w+) )`),
	"python":     lazyregexp.New(`^\s*(?:async\s+)?(?:def|class) (\w+)`),
	"rust":       lazyregexp.New(`^\s*(?:pub(?:\([^)]*\))? )?(?:async |unsafe |const )*(?:fn|struct|enum|trait|mod|impl(?:<[^>]*>)?) (\w+)`),
	"typescript": scripts,
	"tsx":        scripts,
	"javascript": scripts,
}

var scripts = lazyregexp.New(`^\s*(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*? |class |interface |type |enum |(?:const|let|var) )(\w+)(?:\s*(?::[^=]*)?=\s*(?:async\s*)?(?:\(|function|\w+\s*=>))?`)

// parse reads definitions line by line: one goes on to the next of the same or
// a smaller indentation. What is inside a string may look like code to it, so
// it never calls a file broken.
func parse(lang, text string, _ span) found {
	var f found
	at := 0
	for line := range strings.Lines(text) {
		if m := definition[lang].FindStringSubmatch(line); m != nil {
			name := strings.Trim(strings.Join(m[1:], "."), ".")
			depth := len(line) - len(strings.TrimLeft(line, " \t"))
			f.symbols = append(f.symbols, symbol{strings.ReplaceAll(name, "..", "."), at, at + extent(text[at:], depth)})
		}
		if comment := commentOf(lang, line); comment != "" {
			if text := noteText(comment); text != "" {
				f.notes = append(f.notes, note{text, at})
			}
		}
		at += len(line)
	}
	return f
}

// mayDefine says that it is worth while to look for definitions: to read lines
// costs as little as to look for their words.
func mayDefine(_, _ string) bool { return true }

// extent is how long a definition is that begins a text at an indentation.
func extent(text string, depth int) int {
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " \t")
		if at > 0 && strings.TrimSpace(bare) != "" && len(line)-len(bare) <= depth && !strings.ContainsAny(bare[:1], "})]") {
			return at
		}
		at += len(line)
	}
	return at
}

// commentOf is the comment that a line ends with, "" when its mark stands in a
// string.
func commentOf(lang, line string) string {
	mark := "//"
	if lang == "python" {
		mark = "#"
	}
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '`' || c == '\'' && lang != "rust":
			quote = c
		case strings.HasPrefix(line[i:], mark) || mark == "//" && strings.HasPrefix(line[i:], "/*"):
			return line[i:]
		}
	}
	return ""
}
