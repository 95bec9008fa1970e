package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// midTurn is how each agent is brought to compact by itself while it works.
var midTurn = map[string]func(*stage) runner.Output{
	"claude-code": func(s *stage) runner.Output { return s.compactWhileWorking("claude-code", 970_000) },
	"codex":       func(s *stage) runner.Output { return s.compactWhileWorking("codex", 246_000) },
	"copilot-cli": (*stage).compactBesideTheTurn,
	"gemini-cli":  (*stage).compactInASecondTurn,
	"opencode":    func(s *stage) runner.Output { return s.compactInTheDatabase("opencode") },
}

// An agent that compacts in mid-turn goes on with what was lost, once, though
// nobody types a prompt; and a prompt later on brings no second one.
func TestAfterACompactionInMidTurn(t *testing.T) {
	t.Parallel()
	for tool, work := range midTurn {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, tool)
			quietAboutUs(t, work(s))
			if len(s.model.Requests(mockmodel.Compact)) == 0 {
				t.Fatal("the model was asked for no summary")
			}
			text := s.givenBackOnce(t)
			if (tool == "copilot-cli" || tool == "gemini-cli") && strings.Contains(text, "no result yet") {
				t.Errorf("it says that the call it came with has no result:\n%s", excerpt(text))
			}
			s.model.Forget()
			quietAboutUs(t, s.agents[tool].Continue(s.Project, "Where were we?"))
			_, after, prompted := strings.Cut(s.first(t), "Where were we?")
			if !prompted || strings.Contains(after, sentinel) {
				t.Errorf("the next prompt brings it again:\n%s", excerpt(after))
			}
		})
	}
}

// givenBackOnce asserts that the last request of the turn holds what was lost,
// once, and none before the compaction did. It returns that request's text.
func (s *stage) givenBackOnce(t *testing.T) (text string) {
	t.Helper()
	requests := s.model.Requests(mockmodel.Turn)
	text = requests[len(requests)-1].Text()
	if n := strings.Count(text, "RESUME PROTOCOL: seam"); n != 1 {
		t.Errorf("the last of %d requests holds what was lost %d times:\n%s", len(requests), n, excerpt(text))
	}
	for _, want := range []string{"compacted automatically", "Add a date parser in parser.py", "parser.py"} {
		if !strings.Contains(text, want) {
			t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
		}
	}
	if first := slices.IndexFunc(requests, isCompaction); !strings.Contains(requests[min(first+1, len(requests)-1)].Text(), "PROTOCOL: seam") {
		t.Error("neither the first request after the compaction nor the second holds it")
	}
	for n, request := range requests {
		if !isCompaction(request) && strings.Contains(request.Text(), "PROTOCOL: seam") {
			t.Errorf("request %d holds it before anything was compacted", n+1)
		}
	}
	return text
}

// isCompaction says that a request is one after a compaction: it holds the tool's summary.
func isCompaction(request mockmodel.Request) bool {
	return strings.Contains(request.Text(), mockmodel.Summary)
}

// compactWhileWorking is one turn in which the context is reported as full.
func (s *stage) compactWhileWorking(tool string, tokens int) runner.Output {
	s.filling(tokens, 0, nil)
	return s.agents[tool].Prompt(s.Project, request)
}

// compactBesideTheTurn: Copilot CLI has the summary made beside the turn, whose
// answers go on meanwhile, and writes its transcript about once a second. The
// model takes as long for each.
func (s *stage) compactBesideTheTurn() runner.Output {
	return s.compactBeside(request, mockmodel.Run("true"))
}

// compactBeside is a turn of Copilot CLI's that is compacted, after which the model does
// the same thing a few times.
func (s *stage) compactBeside(prompt string, then mockmodel.Step) runner.Output {
	copilot := s.agents["copilot-cli"]
	copilot.Extra = []string{"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=20000"}
	asked := func() bool { return len(s.model.Requests(mockmodel.Compact)) > 0 }
	written := func() bool { return s.copilotWrote("session.compaction_complete") }
	s.model.Add(
		mockmodel.Script{Prompt: prompt, Steps: append([]mockmodel.Step{
			mockmodel.Write(filepath.Join(s.Project, "parser.py"), "def parse(text):\n    return text.split('-')\n"),
			{Calls: []mockmodel.Call{{Run: "true"}}, Tokens: 17_500},
		}, slices.Repeat([]mockmodel.Step{mockmodel.Run("true").After(asked)}, 6)...)},
		mockmodel.Script{Prompt: mockmodel.Summary, Steps: slices.Repeat([]mockmodel.Step{then.After(written)}, 4)},
	)
	return copilot.Prompt(s.Project, prompt)
}

// cutInASecondTurn: Gemini CLI compresses before a request, and never what
// belongs to the first prompt.
func (s *stage) compactInASecondTurn() runner.Output {
	gemini := s.agents["gemini-cli"]
	s.work()
	s.model.Add(mockmodel.Script{Prompt: "Read a lot", Steps: []mockmodel.Step{
		{Calls: []mockmodel.Call{{Run: "seq 1 100"}}, Tokens: 600_000},
		mockmodel.Run("true"),
		mockmodel.Run("true"),
		mockmodel.Say("Much was read."),
	}})
	gemini.Prompt(s.Project, request)
	s.model.Forget()
	return gemini.Resume(s.Project, s.Sessions("gemini-cli")[0], "Read a lot.")
}

// compactInTheDatabase: OpenCode and its fork ask nobody, and read a file with every
// request. It is written while the model makes the summary, which takes a moment.
func (s *stage) compactInTheDatabase(tool string) runner.Output {
	s.filling(97_000, 0, nil)
	s.model.SumUp(func() bool {
		return strings.Contains(s.Read(filepath.Join(s.Project, ".carryover", "context.md")), "RESUME PROTOCOL: seam")
	})
	s.model.Add(mockmodel.Script{Prompt: "Continue if you have next steps", Steps: []mockmodel.Step{
		mockmodel.Run("true"), mockmodel.Say("Done."),
	}})
	return s.agents[tool].Prompt(s.Project, request)
}
