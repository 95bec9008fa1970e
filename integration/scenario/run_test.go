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
	"github.com/carryover-go/carryover/toolspecs"
)

// wrapped is an agent under `carryover run`, and the ear of its model.
type wrapped struct {
	*runner.Home
	// answers makes the model answer a prompt.
	answers func(prompt, text string)
	// open starts it as the agent "mailer".
	open func() *runner.Terminal
	// heard are the messages that reached the model since the last forget.
	heard  func() []string
	forget func()
	ready  string // what its screen shows when a person may type
	// process is a word of its command line.
	process string
}

// wrappedAgents are the agents that run so, with what their screens show when a
// person may type.
var wrappedAgents = wrappedOnes()

func wrappedOnes() map[string]string {
	ready := map[string]string{shellScript: "you>"}
	table, _ := toolspecs.Load(nil)
	for _, spec := range table.All() {
		if spec.Terminal != nil && spec.Terminal.Wrapped != "" {
			ready[spec.Tool] = spec.Terminal.Wrapped
		}
	}
	return ready
}

// shellScript stands in the page for any program that Carryover does not know.
const shellScript = "a script of one's own"

// Any CLI under `carryover run`: what the model prints is found on the screen
// that the program draws, what it asks for is typed into it, and the next run
// begins with what was saved.
func TestContinuityOfWrappedAgents(t *testing.T) {
	// Not beside the others: an agent that starts on a machine with many may lose an
	// Enter, and nobody is there to press it again.
	for name := range wrappedAgents {
		t.Run(name, func(t *testing.T) { wrappedAgent(t, wrappedAs(t, name)) })
	}
}

// wrappedAs is one of wrappedAgents.
func wrappedAs(t *testing.T, name string) wrapped {
	t.Helper()
	if name == shellScript {
		return wrappedScript(t)
	}
	return wrappedTool(t, name)
}

func wrappedTool(t *testing.T, tool string) wrapped {
	t.Helper()
	s := newStage(t, tool)
	return wrapped{
		Home: s.Home, ready: wrappedAgents[tool], forget: s.model.Forget, process: s.agents[tool].Binary(),
		answers: func(prompt, text string) {
			s.model.Add(mockmodel.Script{Prompt: prompt, Steps: []mockmodel.Step{mockmodel.Say("%s", text)}})
		},
		open: func() *runner.Terminal { return s.agents[tool].Wrap(s.Project, "mailer") },
		heard: func() (texts []string) {
			for _, request := range s.model.Requests(mockmodel.Turn) {
				texts = append(texts, request.Text())
			}
			return texts
		},
	}
}

func wrappedScript(t *testing.T) wrapped {
	t.Helper()
	s := newStage(t)
	agent := runner.NewShellAgent(t, s.Home)
	return wrapped{
		Home: s.Home, ready: wrappedAgents[shellScript], forget: agent.Forget, answers: agent.Answers, process: "shell-agent",
		open:  func() *runner.Terminal { return agent.Wrap(s.Project, "mailer") },
		heard: func() []string { return []string{strings.Join(agent.Heard(), "\n")} },
	}
}

// proven names what wrappedAgent tries, in its order.
var proven = []string{"manual save", "pattern detection", "search", "auto-save", "injection"}

// The page of the tools says of wrapped agents what is tried here, and no more.
func TestThePageSaysWhatIsProven(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(runner.Root(), "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Sorted(maps.Keys(wrappedAgents))
	rows = append(slices.DeleteFunc(rows, func(name string) bool { return name == shellScript }), shellScript)
	table := "| agent | " + strings.Join(proven, " | ") + " |\n|---|" + strings.Repeat("---|", len(proven)) + "\n"
	for _, name := range rows {
		table += "| " + name + " |" + strings.Repeat(" yes |", len(proven)) + "\n"
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("docs/tools.md lacks\n%s", table)
	}
}

// says is a person who types a prompt and sends it until the model has it.
func (a wrapped) says(term *runner.Terminal, prompt string) {
	term.Type(prompt)
	term.SendUntil(prompt, func() bool { return slices.ContainsFunc(a.heard(), containsAll([]string{prompt})) })
}

func wrappedAgent(t *testing.T, a wrapped) {
	a.answers("Save your state",
		"I will.\n\n->continuity:save <<<\nCurrent task: parse the mail archive\nCompleted: the date parser\nNext steps: convert the parts to int\n>>>\n")
	a.answers("Doubt something", "->continuity:uncertain \"are all dates ISO\"")
	a.answers("Look it up", "->continuity:search \"archive\"")
	a.answers("Read your state", "->continuity:load")
	hears := func(t *testing.T, what string, texts ...string) {
		t.Helper()
		eventually(t, what, func() bool { return slices.ContainsFunc(a.heard(), containsAll(texts)) })
	}
	term := a.open()
	term.Shows(a.ready)
	ledgerSays := func(t *testing.T, want ...string) {
		t.Helper()
		eventually(t, "the ledger of the agent to say "+strings.Join(want, ", ")+"\n"+term.Screen(), func() bool {
			return containsAll(want)(a.Carryover(a.Project, "continuity", "ledger", "mailer").Stdout)
		})
	}
	t.Run(proven[0], func(t *testing.T) {
		a.says(term, "Save your state, please.")
		ledgerSays(t, "parse the mail archive", "the date parser", "convert the parts to int")
	})
	t.Run(proven[1], func(t *testing.T) {
		a.says(term, "Doubt something, please.")
		ledgerSays(t, "uncertain  are all dates ISO")
		a.forget()
		a.says(term, "Read your state, please.")
		hears(t, "what was saved to be typed in", sentinel, "convert the parts to int", "are all dates ISO")
	})
	t.Run(proven[2], func(t *testing.T) {
		a.says(term, "Look it up, please.")
		hears(t, "the hits to reach the model", "asked for: archive")
	})
	t.Run(proven[3], func(t *testing.T) {
		term.Kill()
		eventually(t, "a handoff of the end", func() bool {
			return strings.Contains(a.Carryover(a.Project, "continuity", "handoffs", "mailer").Stdout, "parse the mail archive")
		})
	})
	t.Run(proven[4], func(t *testing.T) {
		a.forget()
		term = a.open()
		t.Cleanup(func() { // what is on the screen says why a text was not taken
			if t.Failed() {
				t.Logf("the terminal shows\n%s", term.Screen())
			}
		})
		hears(t, "the state to reach the model", "convert the parts to int", "are all dates ISO")
		if first := a.heard()[0]; !strings.Contains(first, sentinel) {
			t.Errorf("the first message is\n%s", excerpt(first))
		}
	})
}

// containsAll says whether a text has all of these in it.
func containsAll(wanted []string) func(text string) bool {
	return func(text string) bool {
		return !slices.ContainsFunc(wanted, func(want string) bool { return !strings.Contains(text, want) })
	}
}
