// Package advice reads what a closing reply leaves to others: commands for the person to run,
// and code that nobody has put into a file.
package advice

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Advice is what a closing reply leaves to others: commands for the person to run, and code
// that nobody has put into a file.
type Advice struct {
	Commands []string
	Code     int // lines
}

const (
	maxAdvised = 3
	leastCode  = 3   // lines of code that are more than an example of a call
	maxCommand = 300 // runes of one
	maxRan     = 200 // commands that are remembered at least
)

// shells are the languages of blocks with commands; plain are those of blocks that are
// no code.
var (
	shells = prose.SetOf("bash sh shell zsh fish console powershell pwsh")
	plain  = prose.SetOf("text txt md markdown json jsonl log output diff mermaid")
)

// Of reads what a reply leaves to others. Commands that were run in this session
// are no advice, and code that came with calls is not left.
func (r Commands) Of(text string, calls int) Advice {
	var out Advice
	for _, f := range prose.Fences(text) {
		switch {
		case shells[f.Lang]:
			for _, line := range commandsOf(f.Lines) {
				if isCommand(line) && !r.has(line) && !r.made(line) && len(out.Commands) < maxAdvised {
					out.Commands = append(out.Commands, line)
				}
			}
		case f.Lang != "" && !plain[f.Lang] && calls == 0:
			out.Code += len(f.Lines)
		}
	}
	if out.Code < leastCode {
		out.Code = 0
	}
	return out
}

// commandsOf are the commands of a block: one goes on over lines behind a backslash, inside of
// quotes, and up to the end of what is fed to it, of which the first line is enough.
func commandsOf(lines []string) []string {
	var out []string
	var open, until string // the command so far; the line that ends what is fed to it
	for _, line := range lines {
		switch {
		case until != "":
			if strings.HasPrefix(line, until) {
				out, open, until = append(out, open+" …"), "", ""
			}
			continue
		case open != "":
			open += " " + line
		case strings.HasPrefix(line, ")"):
			continue // closes what was fed
		default:
			open = strings.TrimPrefix(line, "$ ")
		}
		if m := heredoc.FindStringSubmatch(open); m != nil {
			until = m[1]
			continue
		}
		if head, more := strings.CutSuffix(open, `\`); more {
			open = strings.TrimSpace(head)
			continue
		}
		if strings.Count(open, `"`)%2 == 0 && strings.Count(open, "'")%2 == 0 {
			out, open = append(out, open), ""
		}
	}
	if open != "" {
		out = append(out, open+" …")
	}
	return out
}

var heredoc = lazyregexp.New(`<<-?\s*['"]?(\w+)['"]?`)

// isCommand says that a line of a block is a command: no comment, no command of the agent's
// own prompt, and more than going somewhere.
func isCommand(line string) bool {
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "/") && strings.Count(line, "/") == 1 || strings.HasPrefix(line, "cd ") && !strings.Contains(line, "&&") {
		return false
	}
	return strings.ContainsAny(line, " /") // a single word may be anything
}

// Commands are those that were run in this session, the newest last.
type Commands []string

// has says that a command was run, by itself or among others.
func (r Commands) has(command string) bool {
	return slices.ContainsFunc(r, func(ran string) bool { return strings.Contains(ran, command) })
}

// made says that a command is of a program that this session built or ran from its folder: it shows
// how that is used.
func (r Commands) made(command string) bool {
	program, _, _ := strings.Cut(command, " ")
	program = program[strings.LastIndexByte(program, '/')+1:]
	return program != "" && slices.ContainsFunc(r, func(ran string) bool {
		return prose.HasAny(" "+ran+" ", " ./"+program+" ", " -o "+program+" ", " --output "+program+" ", "target/release/"+program+" ", "target/debug/"+program+" ")
	})
}

// With remembers one more.
func (r Commands) With(command string) Commands {
	if command = prose.Clip(prose.OneLine(command), maxCommand); command == "" {
		return r
	}
	if len(r) == 2*maxRan { // seldom, as it copies
		r = bounded.Limit(r, maxRan)
	}
	return append(r, command)
}
