package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// `carryover switch` opens another agent with the handoff as its first prompt;
// its hooks do not give it once more.
func TestSwitchToAnotherAgent(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct {
		from, to string
		onStart  func(*runner.Terminal) // answers what the agent asks at its first start
	}{
		{"codex", "claude-code", nil},
		{"claude-code", "codex", func(term *runner.Terminal) { // the hooks are new to it
			term.Shows("Hooks need review")
			term.Rest() // a key that comes while Codex discards what was typed before ends it
			term.PressUntil("› 2. Trust all", "Down")
			term.Press("Enter")
		}},
		{"claude-code", "gemini-cli", nil},
		{"codex", "copilot-cli", func(term *runner.Terminal) {
			term.Shows("Do you trust the files in this folder?")
			term.Press("Enter")
		}},
	} {
		t.Run(pair.from+" to "+pair.to, func(t *testing.T) {
			s := newStage(t, pair.from, pair.to)
			s.work()
			s.agents[pair.from].Prompt(s.Project, request)
			s.model.Forget()
			term := s.agents[pair.to].Switch(s.Project)
			if pair.onStart != nil {
				pair.onStart(term)
			}
			eventually(t, "the agent asks the model", func() bool { return len(s.model.Requests(mockmodel.Turn)) > 0 })
			text := s.first(t)
			handsOver(t, text)
			if !strings.Contains(text, "RESUME PROTOCOL: ask") {
				t.Errorf("the request lacks the header of the configured mode:\n%s", excerpt(text))
			}
			eventually(t, "the decision is kept", func() bool {
				return strings.Contains(s.Must(s.Project, "status", "--why").Stdout, " opened ")
			})
		})
	}
}

// Agents that read the file of the handoff by themselves are opened as they
// are: the first request holds it, once.
func TestSwitchToAnAgentThatReadsTheFile(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"opencode", "aider"} {
		t.Run(to, func(t *testing.T) {
			s := newStage(t, "codex", to)
			s.work()
			s.agents["codex"].Prompt(s.Project, request)
			s.waitForHandoff(t)
			s.model.Forget()
			term := s.agents[to].Switch(s.Project)
			s.answerFirstStart(to, term)
			s.ask(term, "How do things stand by now.")
			handsOver(t, s.first(t))
		})
	}
}
