package scenario

import "github.com/carryover-go/carryover/integration/runner"

// ready is what an agent's screen shows when a person may type, and what is to
// be told it on the command line for it to work without asking.
var ready = map[string]struct {
	shows string
	args  []string
}{
	"claude-code": {shows: "shift+tab to cycle"},
	"codex":       {shows: "? for shortcuts"},
	"copilot-cli": {shows: "/ commands", args: []string{"--allow-all-tools", "--allow-all-paths"}},
	"gemini-cli":  {shows: "Type your message", args: []string{"--yolo"}},
	"opencode":    {shows: "Ask anything"},
}

// open starts an agent at a terminal, with nothing it asks before it works.
func (s *stage) open(tool string) *runner.Terminal {
	term := s.agents[tool].Open(s.Project, ready[tool].args...)
	s.settled(tool, term)
	return term
}

// settled answers what an agent asks at its first start.
func (s *stage) settled(tool string, term *runner.Terminal) {
	if tool == "copilot-cli" {
		term.Shows("Do you trust the files in this folder?")
		term.Press("Enter")
	}
	term.Shows(ready[tool].shows)
}
