package scenario

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// asking lists the agents that begin a session under the header of a mode.
var asking = runner.Which(runner.GivesAtStart)

// modes are what the header of each must say.
var modes = []struct{ name, says string }{
	{"ask", "First reply: two sentences"},
	{"brief", "Begin the first reply with (resuming: "},
	{"silent", "do not mention it"},
}

// choose sets the mode of the project.
func (s *stage) choose(mode string) {
	s.Write(filepath.Join(s.Project, ".carryover.toml"), "resume = \""+mode+"\"\n")
}

// At a terminal the header of the mode that the project chose reaches the
// model, and the gate says which one it was. What is begun in the same program
// is a new session.
func TestTheModesReachTheModel(t *testing.T) {
	t.Parallel()
	for _, tool := range asking {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			s.agents[tool].Prompt(s.Project, request)
			term := s.open(tool)
			for i, mode := range modes {
				s.choose(mode.name)
				if i > 0 {
					s.begin(term, s.Spec(tool).Terminal.New[i-1], "Done.")
				}
				s.model.Forget()
				s.ask(term, "How do things stand by now.")
				text := s.first(t)
				for _, want := range []string{"RESUME PROTOCOL: " + mode.name, mode.says, "parser.py"} {
					if !strings.Contains(text, want) {
						t.Errorf("the request lacks %q:\n%s", want, excerpt(text))
					}
				}
				if n := strings.Count(text, sentinel); n != 1 {
					t.Errorf("%d handoffs in the request of mode %s", n, mode.name)
				}
				s.decided(t, tool, "", "full", "resume mode "+mode.name)
			}
		})
	}
}

// Nobody can answer in a run of one prompt: whatever the project chose, the
// handoff is background and asks nothing.
func TestNobodyIsAskedInAHeadlessRun(t *testing.T) {
	t.Parallel()
	for _, tool := range asking {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			s.choose("ask")
			s.agents[tool].Prompt(s.Project, request)
			s.model.Forget()
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, "What is the state of things?"))
			text := s.first(t)
			carries(t, text)
			if strings.Contains(text, "RESUME PROTOCOL: ask") {
				t.Errorf("somebody is asked:\n%s", excerpt(text))
			}
			s.decided(t, tool, "", "full", "nobody can answer in this run; resume mode silent")
		})
	}
}

// Nor can anybody where the prompt is piped in.
func TestNobodyIsAskedThroughAPipe(t *testing.T) {
	t.Parallel()
	for _, tool := range runner.Which(runner.TakesPipedPrompts) {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			s.agents[tool].Prompt(s.Project, request)
			s.model.Forget()
			quietAboutUs(t, s.agents[tool].Pipe(s.Project, "What is the state of things?", s.Spec(tool).Terminal.Args...))
			carries(t, s.first(t))
			s.decided(t, tool, "", "full", "nobody can answer in this run; resume mode silent")
		})
	}
}
