package scenario

import "github.com/carryover-go/carryover/integration/runner"

// ready is what an agent's screen shows when a person may type, and what is to
// be told it on the command line for it to work without asking.
var ready = map[string]struct {
	shows string
	args  []string
}{
	"claude-code": {shows: "shift+tab to cycle", args: []string{"--permission-mode", "acceptEdits"}},
	// What stands there before has no session yet, and drops what is typed.
	"codex":       {shows: "← for agents"},
	"copilot-cli": {shows: "/ commands", args: []string{"--allow-all-tools", "--allow-all-paths"}},
	"gemini-cli":  {shows: "Type your message", args: []string{"--yolo"}},
	"opencode":    {shows: "Ask anything"},
	"aider":       {shows: "Repo-map"},
}

// open starts an agent at a terminal, with nothing it asks before it works.
func (s *stage) open(tool string) *runner.Terminal {
	term := s.agents[tool].Open(s.Project, ready[tool].args...)
	s.settled(tool, term)
	return term
}

// say types a line and sends it until the screen shows an answer: some programs
// take no Enter for a while.
func (s *stage) say(term *runner.Terminal, line, answer string) {
	term.Type(line)
	term.Send(answer)
}

// ask is say with a prompt that no script knows.
func (s *stage) ask(term *runner.Terminal, line string) { s.say(term, line, "Done.") }

// begin starts a new session with a command of the agent's own; something of
// the old one leaves the screen then.
func (s *stage) begin(term *runner.Terminal, command, old string) {
	term.Type(command)
	term.PressAway(old, "Enter")
}

// settled answers what an agent asks at its first start.
func (s *stage) settled(tool string, term *runner.Terminal) {
	if tool == "copilot-cli" {
		term.Shows("Do you trust the files in this folder?")
		term.Press("Enter")
	}
	term.Shows(ready[tool].shows)
}
