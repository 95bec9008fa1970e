package timeline

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
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
	maxRan     = 200 // commands that are remembered
)

// shells are the languages of blocks with commands; plain are those of blocks that are
// no code.
var (
	shells = prose.SetOf("bash sh shell zsh fish console powershell pwsh")
	plain  = prose.SetOf("text txt md markdown json jsonl log output diff mermaid")
)

// advised reads what a reply leaves to others. Commands that were run in this session
// are no advice, and code that came with edits is not left.
func (r commands) advised(text string, now *Request) Advice {
	var out Advice
	for _, f := range prose.Fences(text) {
		switch {
		case shells[f.Lang]:
			for _, line := range f.Lines {
				line = strings.TrimPrefix(line, "$ ")
				if isCommand(line) && !r.has(line) && len(out.Commands) < maxAdvised {
					out.Commands = append(out.Commands, line)
				}
			}
		case f.Lang != "" && !plain[f.Lang] && now.Calls == 0:
			out.Code += len(f.Lines)
		}
	}
	if out.Code < leastCode {
		out.Code = 0
	}
	return out
}

// isCommand says that a line of a block is a command: no comment, no command of the agent's
// own prompt, and more than going somewhere.
func isCommand(line string) bool {
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "/") && strings.Count(line, "/") == 1 || strings.HasPrefix(line, "cd ") && !strings.Contains(line, "&&") {
		return false
	}
	return !strings.HasPrefix(line, "-") && strings.ContainsAny(line, " /") // the next line of a command; a single word
}

// commands are those that were run in this session, the newest last.
type commands []string

// has says that a command was run, by itself or among others.
func (r commands) has(command string) bool {
	return slices.ContainsFunc(r, func(ran string) bool { return strings.Contains(ran, command) })
}

// with remembers one more.
func (r commands) with(command string) commands {
	if command = prose.Clip(prose.OneLine(command), maxCommand); command == "" {
		return r
	}
	return bounded.Limit(append(r, command), maxRan)
}
