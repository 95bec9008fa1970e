package timeline

import (
	"strings"

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
func (t *Timeline) advised(text string, now *Request) Advice {
	var out Advice
	for _, f := range prose.Fences(text) {
		switch {
		case shells[f.Lang]:
			for _, line := range f.Lines {
				line = strings.TrimPrefix(line, "$ ")
				if isCommand(line) && !t.wasRun(line) && len(out.Commands) < maxAdvised {
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

// wasRun says that a command was run in this session, by itself or among others.
func (t *Timeline) wasRun(command string) bool {
	for _, ran := range t.ran {
		if strings.Contains(ran, command) {
			return true
		}
	}
	return false
}

// ranCommand remembers a command.
func (t *Timeline) ranCommand(command string) {
	if command = prose.Clip(prose.OneLine(command), maxCommand); command == "" {
		return
	}
	if len(t.ran) == maxRan {
		t.ran = t.ran[1:]
	}
	t.ran = append(t.ran, command)
}
