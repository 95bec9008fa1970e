package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// Any CLI under `carryover run`: what the model prints is found on the screen
// that the program draws, what it asks for is typed into it, and the next run
// begins with what was saved.
func TestContinuityOfWrappedAgents(t *testing.T) {
	for tool, ready := range map[string]string{
		"claude-code": "shift+tab to cycle", "codex": "? for shortcuts", "gemini-cli": "Type your message", "opencode": "Ask anything",
	} {
		t.Run(tool, func(t *testing.T) { wrappedAgent(t, tool, ready) })
	}
}

func wrappedAgent(t *testing.T, tool, ready string) {
	s := newStage(t, tool)
	s.model.Add(
		mockmodel.Script{Prompt: "Save your state", Steps: []mockmodel.Step{mockmodel.Say(
			"I will.\n\n->continuity:save <<<\nCurrent task: parse the mail archive\nCompleted: the date parser\nNext steps: convert the parts to int\n>>>\n")}},
		mockmodel.Script{Prompt: "Doubt something", Steps: []mockmodel.Step{mockmodel.Say("->continuity:uncertain \"are all dates ISO\"")}},
		mockmodel.Script{Prompt: "Look it up", Steps: []mockmodel.Step{mockmodel.Say("->continuity:search \"archive\"")}},
	)
	term := s.agents[tool].Wrap(s.Project, "mailer")
	term.Shows(ready)
	ledgerSays := func(t *testing.T, want ...string) {
		t.Helper()
		out := ""
		eventually(t, "the ledger of the agent to say "+strings.Join(want, ", ")+"\n"+term.Screen(), func() bool {
			out = s.Carryover(s.Project, "continuity", "ledger", "mailer").Stdout
			for _, text := range want {
				if !strings.Contains(out, text) {
					return false
				}
			}
			return true
		})
	}
	t.Run("manual save", func(t *testing.T) {
		term.Say("Save your state, please.")
		ledgerSays(t, "parse the mail archive", "the date parser", "convert the parts to int")
	})
	t.Run("pattern detection", func(t *testing.T) {
		term.Say("Doubt something, please.")
		ledgerSays(t, "uncertain  are all dates ISO")
	})
	t.Run("search", func(t *testing.T) {
		term.Say("Look it up, please.")
		eventually(t, "the hits to reach the model", func() bool { return asked(s, "asked for: archive") })
	})
	t.Run("auto-save", func(t *testing.T) {
		term.Kill()
		eventually(t, "a handoff of the end", func() bool {
			return strings.Contains(s.Carryover(s.Project, "continuity", "handoffs", "mailer").Stdout, "parse the mail archive")
		})
	})
	t.Run("injection", func(t *testing.T) {
		s.model.Forget()
		term = s.agents[tool].Wrap(s.Project, "mailer")
		eventually(t, "the state to be the first message\n"+term.Screen(), func() bool { return asked(s, "convert the parts to int") })
		if text := s.first(t); !strings.Contains(text, sentinel) || !strings.Contains(text, "are all dates ISO") {
			t.Errorf("the first message is\n%s", excerpt(text))
		}
	})
}

// asked says whether a text is in what the model was asked.
func asked(s *stage, text string) bool {
	for _, request := range s.model.Requests(mockmodel.Turn) {
		if strings.Contains(request.Text(), text) {
			return true
		}
	}
	return false
}
