package prose

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// WithoutFences drops fenced code blocks: code is not prose.
//
// Aider fences code that has backticks in it with tags, each on a line of its own.
func WithoutFences(s string) string {
	if !strings.Contains(s, "```") && !tagFence.MatchString(s) {
		return s
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		tag := tagFence.FindString(trimmed)
		switch {
		case fence == "" && tag != "" && tag[1] != '/' && strings.Contains(s, "\n</"+tag[1:]):
			fence = "</" + tag[1:]
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			fence = "```"
		case fence == "":
			b.WriteString(line)
		case fence == "```" && strings.HasPrefix(trimmed, fence), trimmed == fence:
			fence = ""
		}
	}
	return b.String()
}

// Fence is a fenced code block with the language that it names, "" for none.
type Fence struct {
	Lang  string
	Lines []string // those with something on them
}

// Fences are the fenced code blocks of a text.
func Fences(s string) []Fence {
	if !strings.Contains(s, "```") {
		return nil
	}
	var out []Fence
	open := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		rest, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && !open:
			lang, _, _ := strings.Cut(strings.Trim(rest, "` "), " ")
			out = append(out, Fence{Lang: strings.ToLower(lang)})
			open = true
		case mark:
			open = false
		case open && line != "":
			at := &out[len(out)-1]
			at.Lines = append(at.Lines, line)
		}
	}
	return out
}

// tagFence is a line that begins or ends code.
var tagFence = lazyregexp.New(`(?m)^</?(?:source|code|pre|codeblock|sourcecode)>$`)
