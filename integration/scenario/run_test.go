package scenario

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// Any CLI under `carryover run`: what the model prints is found on the screen
// that the program draws, what it asks for is typed into it, and the next run
// begins with what was saved.
func TestContinuityOfWrappedAgents(t *testing.T) {
	for tool, ready := range wrappedAgents {
		t.Run(tool, func(t *testing.T) { wrappedAgent(t, tool, ready) })
	}
}

// wrappedAgents are the agents that run so, with what their screens show when a
// person may type.
var wrappedAgents = map[string]string{
	"claude-code": "shift+tab to cycle", "codex": "? for shortcuts", "gemini-cli": "Type your message", "opencode": "Ask anything",
}

// proven names what wrappedAgent tries, in its order.
var proven = []string{"manual save", "pattern detection", "search", "auto-save", "injection"}

// The page of the tools says of wrapped agents what is tried here, and no more.
func TestThePageSaysWhatIsProven(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(runner.Root(), "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := "| agent | " + strings.Join(proven, " | ") + " |\n|---|" + strings.Repeat("---|", len(proven)) + "\n"
	for _, tool := range slices.Sorted(maps.Keys(wrappedAgents)) {
		table += "| " + tool + " |" + strings.Repeat(" yes |", len(proven)) + "\n"
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("docs/tools.md lacks\n%s", table)
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
	t.Run(proven[0], func(t *testing.T) {
		term.Say("Save your state, please.")
		ledgerSays(t, "parse the mail archive", "the date parser", "convert the parts to int")
	})
	t.Run(proven[1], func(t *testing.T) {
		term.Say("Doubt something, please.")
		ledgerSays(t, "uncertain  are all dates ISO")
	})
	t.Run(proven[2], func(t *testing.T) {
		term.Say("Look it up, please.")
		eventually(t, "the hits to reach the model", func() bool { return asked(s, "asked for: archive") })
	})
	t.Run(proven[3], func(t *testing.T) {
		term.Kill()
		eventually(t, "a handoff of the end", func() bool {
			return strings.Contains(s.Carryover(s.Project, "continuity", "handoffs", "mailer").Stdout, "parse the mail archive")
		})
	})
	t.Run(proven[4], func(t *testing.T) {
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
