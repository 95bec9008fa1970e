package scenario

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// every names all tools whose programs run here.
func every() []string { return slices.Sorted(maps.Keys(runner.Agents)) }

// Scenario 1 for all pairs: work in one agent is the first thing any other, or
// the same one again, reads. A source works once; each target begins at the
// moment after. And whichever tool wrote the session, the facts are the same.
func TestEveryAgentHandsOverToEveryOther(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	facts := map[string]handoffFacts{}
	t.Run("from", func(t *testing.T) {
		for _, from := range every() {
			t.Run(from, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, every()...)
				s.work()
				quietAboutUs(t, s.workIn(from))
				s.waitForHandoff(t)
				known := s.handoffFacts(t)
				mu.Lock()
				facts[from] = known
				mu.Unlock()
				s.handOverTo(t, every()...)
			})
		}
	})
	for _, tool := range every() {
		if got, ok := facts[tool]; ok && !reflect.DeepEqual(got, factsOfWork) {
			t.Errorf("%s hands over other facts:\n%+v\nwant\n%+v", tool, got, factsOfWork)
		}
	}
}

// factsOfWork are those of work, whichever tool did it.
var factsOfWork = handoffFacts{
	Task:     request,
	Files:    map[string]string{"parser.py": "write", "test_parser.py": "write"},
	Failures: []string{"python3 test_parser.py"},
	Next:     nextAction + " in parser.py.",
}

// handOverTo starts agents in the home as it is now.
func (s *stage) handOverTo(t *testing.T, tools ...string) {
	t.Helper()
	s.Must(s.Dir, "daemon", "stop")
	saved := s.Save()
	for _, to := range tools {
		t.Run("to "+to, func(t *testing.T) {
			s.Restore(saved)
			s.Must(s.Dir, "daemon", "start")
			defer s.Must(s.Dir, "daemon", "stop")
			s.model.Forget()
			quietAboutUs(t, s.agents[to].Prompt(s.Project, "What is the state of things?"))
			handsOver(t, s.first(t))
			s.givenOnce(t)
		})
	}
}

// workIn has one agent do the work. Aider's model runs nothing: there the
// person runs the test.
func (s *stage) workIn(tool string) runner.Output {
	agent := s.agents[tool]
	if tool == "aider" {
		agent.Then = []string{"/test python3 test_parser.py"}
		defer func() { agent.Then = nil }()
	}
	return agent.Prompt(s.Project, request)
}

// handoffFacts are the facts of the project's handoff that every tool must tell alike.
type handoffFacts struct {
	Task     string
	Files    map[string]string // name → change
	Failures []string
	Next     string
}

func (s *stage) handoffFacts(t *testing.T) handoffFacts {
	t.Helper()
	var handoff struct {
		Facts struct {
			Task     struct{ Text string }
			Files    []struct{ Path, Change string }
			Failures []struct{ What string }
			Next     struct{ Text string }
		}
	}
	s.Must(s.Project, "handoff", "--json").JSON(t, &handoff)
	known := handoffFacts{Task: handoff.Facts.Task.Text, Files: map[string]string{}, Next: handoff.Facts.Next.Text}
	for _, file := range handoff.Facts.Files {
		known.Files[filepath.Base(file.Path)] = file.Change
	}
	for _, failure := range handoff.Facts.Failures {
		_, command, found := strings.Cut(failure.What, " && ") // agents without a directory of their own
		if !found {
			command = failure.What
		}
		known.Failures = append(known.Failures, command)
	}
	return known
}

// With our program gone from the disk, every agent works as before.
func TestEveryAgentWorksWithoutTheHookClient(t *testing.T) {
	t.Parallel()
	for _, tool := range every() {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.expectWarnings()
			s.work()
			s.Must(s.Dir, "daemon", "stop")
			if err := os.Remove(filepath.Join(s.Dir, ".carryover", "bin", "carryover-hook")); err != nil {
				t.Fatal(err)
			}
			agent := s.agents[tool]
			if tool == "aider" {
				agent.Then = []string{"/test python3 test_parser.py"}
			}
			out := agent.Prompt(s.Project, request)
			quietAboutUs(t, out)
			if out.Code != 0 || !strings.Contains(out.Stdout, "still fails") {
				t.Errorf("it ended with %d\n%s\n%s", out.Code, out.Stdout, out.Stderr)
			}
		})
	}
}
