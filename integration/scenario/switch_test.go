package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// `carryover switch` opens the other agent with the handoff as its first
// prompt; its hooks do not give it once more.
func TestSwitchToTheOtherAgent(t *testing.T) {
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			s := newStage(t, "claude-code", "codex")
			s.work()
			s.agents[pair.from].Prompt(s.Project, request)
			s.model.Forget()
			term := s.agents[pair.to].Switch(s.Project)
			if pair.to == "codex" { // the hooks are new to it
				term.Shows("Hooks need review")
				term.PressUntil("Trust all", "Down")
				term.Press("Enter")
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
