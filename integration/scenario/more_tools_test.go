package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// newStageOf is a home with the named agents in it, wired as a user would.
func newStageOf(t *testing.T, tools ...string) *stage {
	t.Helper()
	prepare := map[string]func(testing.TB, *runner.Home) *runner.Agent{
		"claude-code": runner.ClaudeCode, "codex": runner.Codex, "copilot-cli": runner.Copilot, "gemini-cli": runner.Gemini,
	}
	model := mockmodel.Start()
	t.Cleanup(model.Close)
	s := &stage{Home: runner.New(t, model.URL), model: model, agents: map[string]*runner.Agent{}}
	slices.Sort(tools)
	tools = slices.Compact(tools)
	for _, tool := range tools {
		s.agents[tool] = prepare[tool](t, s.Home)
	}
	s.Must(s.Dir, "install", "--tools", strings.Join(tools, ","), "--yes", "--no-service")
	t.Cleanup(func() { s.Carryover(s.Dir, "daemon", "stop") })
	return s
}

// handsOver asserts that a request holds the handoff of work, once, whichever
// tool wrote the session.
func handsOver(t *testing.T, text string) {
	t.Helper()
	for what, want := range map[string]string{
		"the sentinel": sentinel, "the task": "Add a date parser in parser.py", "the file": "parser.py",
		"the failure": "python3 test_parser.py", "the next action": "Convert the parts to int",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the request lacks %s (%q)", what, want)
		}
	}
	if n := strings.Count(text, sentinel); n != 1 {
		t.Errorf("the handoff is in the request %d times", n)
	}
	if t.Failed() {
		t.Logf("the request was:\n%s", excerpt(text))
	}
}

// Scenario 1 with the further tools: each as the source and as the target.
func TestFurtherAgentsHandOver(t *testing.T) {
	for _, pair := range []struct{ from, to string }{
		{"gemini-cli", "claude-code"},
		{"claude-code", "gemini-cli"},
		{"copilot-cli", "gemini-cli"},
		{"gemini-cli", "copilot-cli"},
		{"copilot-cli", "codex"},
		{"codex", "copilot-cli"},
		{"gemini-cli", "gemini-cli"},
		{"copilot-cli", "copilot-cli"},
	} {
		t.Run(pair.from+" to "+pair.to, func(t *testing.T) {
			s := newStageOf(t, pair.from, pair.to)
			s.work()
			quietAboutUs(t, s.agents[pair.from].Prompt(s.Project, request))
			s.model.Forget()
			quietAboutUs(t, s.agents[pair.to].Prompt(s.Project, "What is the state of things?"))
			handsOver(t, s.first(t))
		})
	}
}

// A prompt is answered once: what the second request of a turn, and a resumed
// session, carry is the first answer and no other.
func TestFurtherAgentsAreAnsweredOnce(t *testing.T) {
	for _, tool := range []string{"gemini-cli", "copilot-cli"} {
		t.Run(tool, func(t *testing.T) {
			s := newStageOf(t, tool, "claude-code")
			s.work()
			s.agents["claude-code"].Prompt(s.Project, request)
			s.model.Add(mockmodel.Script{Prompt: "Look at the state of things", Steps: []mockmodel.Step{
				mockmodel.Run("ls"), mockmodel.Say("Two files."),
			}})
			s.model.Forget()
			s.agents[tool].Prompt(s.Project, "Look at the state of things.")
			for n, request := range s.model.Requests(mockmodel.Turn) {
				if given := strings.Count(request.Text(), sentinel); given != 1 {
					t.Errorf("request %d of the turn carries %d handoffs", n+1, given)
				}
			}
		})
	}
}

// With our program gone from the disk, every agent works as before.
func TestFurtherAgentsWorkWithoutTheHookClient(t *testing.T) {
	for _, tool := range []string{"gemini-cli", "copilot-cli"} {
		t.Run(tool, func(t *testing.T) {
			s := newStageOf(t, tool)
			s.work()
			s.Must(s.Dir, "daemon", "stop")
			if err := os.Remove(filepath.Join(s.Dir, ".carryover", "bin", "carryover-hook")); err != nil {
				t.Fatal(err)
			}
			out := s.agents[tool].Prompt(s.Project, request)
			quietAboutUs(t, out)
			if out.Code != 0 || !strings.Contains(out.Stdout, "still fails") {
				t.Errorf("it ended with %d\n%s\n%s", out.Code, out.Stdout, out.Stderr)
			}
		})
	}
}

// Who resumes a session has its history: nothing is given again.
func TestFurtherAgentsResumeWithoutTheHandoff(t *testing.T) {
	for _, tool := range []string{"gemini-cli", "copilot-cli"} {
		t.Run(tool, func(t *testing.T) {
			s := newStageOf(t, tool)
			s.work()
			agent := s.agents[tool]
			agent.Prompt(s.Project, request)
			s.model.Forget()
			quietAboutUs(t, agent.Resume(s.Project, s.Sessions(tool)[0], "Go on for a moment."))
			text := s.first(t)
			if !strings.Contains(text, request) {
				t.Fatalf("the request lacks the session's history:\n%s", excerpt(text))
			}
			carriesNothing(t, text)
		})
	}
}

// After a compaction in Copilot CLI the next prompt brings the session's own
// work back.
func TestAfterACompactionCopilotIsGivenItsWork(t *testing.T) {
	s := newStageOf(t, "copilot-cli")
	s.work()
	s.model.Add(mockmodel.Script{Prompt: "Read a lot", Steps: []mockmodel.Step{
		{Calls: []mockmodel.Call{{Run: "seq 1 100"}}, Tokens: 19_500},
		// It compacts beside the turn, and gives up when the turn ends first.
		mockmodel.Run("sleep 2"),
		mockmodel.Run("true"),
		mockmodel.Say("Much was read.\n\nNext: convert the parts to int in parser.py."),
	}})
	copilot := s.agents["copilot-cli"]
	copilot.Extra = []string{"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=20000"}
	copilot.Prompt(s.Project, request)
	session := s.Sessions("copilot-cli")[0]
	copilot.Resume(s.Project, session, "Read a lot.")
	if len(s.model.Requests(mockmodel.Compact)) == 0 {
		t.Fatal("nothing was compacted")
	}
	s.model.Forget()
	quietAboutUs(t, copilot.Resume(s.Project, session, "Where were we?"))
	text := s.first(t)
	for _, want := range []string{sentinel, "RESUME PROTOCOL: seam", "python3 test_parser.py"} {
		if !strings.Contains(text, want) {
			t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
		}
	}
}
