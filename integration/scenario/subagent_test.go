package scenario

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// What a session has looked at by another, and what that one gets.
const (
	lookedAt = "Have the archive looked at"
	lookHere = "Look around in the archive and name the files."
)

// delegates is a turn in which a subagent does two calls; first is what the
// session itself does before.
func (s *stage) delegates(prompt string, first ...mockmodel.Step) {
	s.model.Add(
		mockmodel.Script{Prompt: prompt, Steps: append(first,
			mockmodel.Delegate(lookHere),
			mockmodel.Run("true").After(func() bool { return len(s.ofSubagent()) >= 3 }), // Codex does not wait for it
			mockmodel.Say("It was looked at."),
		)},
		mockmodel.Script{Prompt: lookHere, Steps: []mockmodel.Step{
			mockmodel.Run("ls"), mockmodel.Run("true"), mockmodel.Say("Two files."),
		}},
	)
}

// ofSubagent are the requests of the subagent: they hold its task, and not what
// the person said.
func (s *stage) ofSubagent() (requests []mockmodel.Request) {
	for _, request := range s.model.Requests(mockmodel.Turn) {
		if text := request.Text(); strings.Contains(text, lookHere) && !strings.Contains(text, lookedAt) && !isCompaction(request) {
			requests = append(requests, request)
		}
	}
	return requests
}

// A subagent has its task from its parent: the handoff is given to the session
// that starts it, once, and to none of its own requests.
func TestASubagentIsGivenNothing(t *testing.T) {
	t.Parallel()
	for _, tool := range asking {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			s.work()
			s.agents[tool].Prompt(s.Project, request)
			s.model.Forget()
			s.delegates(lookedAt)
			quietAboutUs(t, s.agents[tool].Prompt(s.Project, lookedAt+"."))
			handsOver(t, s.first(t))
			subs := s.ofSubagent()
			if len(subs) < 3 {
				t.Fatalf("the subagent asked the model %d times, want 3", len(subs))
			}
			for _, request := range subs {
				carriesNothing(t, request.Text())
			}
			requests := s.model.Requests(mockmodel.Turn)
			handsOver(t, requests[len(requests)-1].Text())
		})
	}
}

// OpenCode reads the file of the handoff for its subagents too, which get it
// whose it is.
func TestASubagentOfOpenCodeIsToldWhoseTheHandoffIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, "opencode")
	s.work()
	s.agents["opencode"].Prompt(s.Project, request)
	s.waitForHandoff(t)
	s.model.Forget()
	s.delegates(lookedAt)
	quietAboutUs(t, s.agents["opencode"].Prompt(s.Project, lookedAt+"."))
	subs := s.ofSubagent()
	if len(subs) < 3 {
		t.Fatalf("the subagent asked the model %d times, want 3", len(subs))
	}
	for _, request := range subs {
		if text := request.Text(); strings.Count(text, sentinel) != 1 || !strings.Contains(text, "A subagent has its own task.") {
			t.Errorf("the subagent's request holds:\n%s", excerpt(text))
		}
	}
}

// What a compaction took away is given back to the session whose context it was, also
// when the first call after it is a subagent's.
func TestACutIsNotToldToASubagent(t *testing.T) {
	t.Parallel()
	for tool, work := range map[string]func(*stage) runner.Output{
		"copilot-cli": func(s *stage) runner.Output {
			s.delegates("nothing more")
			return s.compactBeside(lookedAt+".", mockmodel.Delegate(lookHere))
		},
		"gemini-cli": func(s *stage) runner.Output {
			s.work()
			s.agents["gemini-cli"].Prompt(s.Project, request)
			s.model.Forget()
			s.delegates(lookedAt, mockmodel.Step{Calls: []mockmodel.Call{{Run: "seq 1 100"}}, Tokens: 600_000})
			return s.agents["gemini-cli"].Resume(s.Project, s.Sessions("gemini-cli")[0], lookedAt+".")
		},
	} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			quietAboutUs(t, work(s))
			if len(s.model.Requests(mockmodel.Compact)) == 0 {
				t.Fatal("the model was asked for no summary")
			}
			subs := s.ofSubagent()
			if len(subs) < 3 {
				t.Fatalf("the subagent asked the model %d times, want 3", len(subs))
			}
			for _, request := range subs {
				carriesNothing(t, request.Text())
			}
			requests := s.model.Requests(mockmodel.Turn)
			text := requests[len(requests)-1].Text()
			if n := strings.Count(text, "RESUME PROTOCOL: seam"); n != 1 {
				t.Errorf("the session's last request holds what was lost %d times:\n%s", n, excerpt(text))
			}
		})
	}
}
