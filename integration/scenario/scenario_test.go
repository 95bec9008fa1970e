// Package scenario proves on the real agent CLIs that a session becomes the
// first thing the next one reads.
package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// TestMain runs half as many tests again as there are processors side by side: most of
// their time agents wait, for files, timers and each other.
func TestMain(m *testing.M) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = flag.Set("test.parallel", strconv.Itoa(runtime.GOMAXPROCS(0)*3/2))
	}
	code := m.Run()
	runner.Remove()
	os.Exit(code)
}

// sentinel begins every text of ours; see transcript.Sentinel.
const sentinel = "# [CARRYOVER]"

// stage is a home with agents in it, wired, and the model behind them.
type stage struct {
	*runner.Home
	model  *mockmodel.Server
	agents map[string]*runner.Agent
	broken bool // on purpose
}

// newStage is a home with the named agents in it, wired as a user would.
func newStage(t *testing.T, tools ...string) *stage {
	t.Helper()
	model := mockmodel.Start()
	t.Cleanup(model.Close)
	s := &stage{Home: runner.New(t, model.URL), model: model, agents: map[string]*runner.Agent{}}
	slices.Sort(tools)
	tools = slices.Compact(tools)
	for _, tool := range tools {
		s.agents[tool] = runner.Prepare(t, s.Home, tool)
	}
	s.Install(tools...)
	s.staysHealthy(t)
	return s
}

// first is the text of the first request of a turn.
func (s *stage) first(t *testing.T) string {
	t.Helper()
	requests := s.model.Requests(mockmodel.Turn)
	if len(requests) == 0 {
		t.Fatal("the agent asked the model nothing")
	}
	return requests[0].Text()
}

// work is a session with something to hand over: a file written, a test that
// still fails, and a plan for what comes next.
func (s *stage) work() {
	parser := filepath.Join(s.Project, "parser.py")
	s.model.Add(mockmodel.Script{Prompt: "Add a date parser", Steps: []mockmodel.Step{
		mockmodel.Write(parser, "def parse(text):\n    return text.split('-')\n"),
		mockmodel.Write(filepath.Join(s.Project, "test_parser.py"), "import parser\nassert parser.parse('2026-11-20') == [2026, 11, 20]\n"),
		mockmodel.Run("cd " + s.Project + " && python3 test_parser.py"),
		mockmodel.Say("The parser splits the date, but test_parser.py still fails: the parts are strings.\n\nNext: convert the parts to int in parser.py."),
	}}, mockmodel.Script{Prompt: "Go on for a moment", Steps: []mockmodel.Step{
		mockmodel.Say("Nothing is changed yet.\n\nNext: convert the parts to int in parser.py."),
	}})
}

// nextAction is what work leaves to do, as the handoff says it.
const nextAction = "Convert the parts to int"

const request = "Add a date parser in parser.py with a test; dates are ISO 8601 only."

// handsOver asserts that a request holds the handoff of work, once, whichever
// tool wrote the session.
func handsOver(t *testing.T, text string) {
	t.Helper()
	for what, want := range map[string]string{
		"the sentinel": sentinel, "the task": "Add a date parser in parser.py", "the file": "parser.py",
		"the failure": "python3 test_parser.py", "the next action": nextAction,
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

// carries is handsOver in a run that nobody attends.
func carries(t *testing.T, text string) {
	t.Helper()
	handsOver(t, text)
	if want := "RESUME PROTOCOL: silent"; !strings.Contains(text, want) {
		t.Errorf("the request lacks the header of headless runs, %q:\n%s", want, excerpt(text))
	}
}

// carriesNothing asserts that nothing of ours reached the model.
func carriesNothing(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, sentinel) {
		t.Errorf("the request carries a handoff:\n%s", excerpt(text))
	}
}

// quietAboutUs asserts that the agent did not complain about a hook of ours.
func quietAboutUs(t *testing.T, out runner.Output) {
	t.Helper()
	for _, line := range strings.Split(out.Stdout+"\n"+out.Stderr, "\n") {
		if strings.HasPrefix(line, "Error: Read-only file ") { // Aider, before there is a handoff: it goes on
			continue
		}
		lower := strings.ToLower(line)
		if strings.Contains(lower, "carryover") && (strings.Contains(lower, "fail") || strings.Contains(lower, "error")) || strings.Contains(lower, "hook failed") {
			t.Errorf("the agent said: %s", line)
		}
	}
}

func excerpt(text string) string {
	at := strings.Index(text, sentinel)
	if at < 0 {
		at = max(0, len(text)-3000)
	}
	return text[at:min(len(text), at+9000)]
}

var pairs = []struct{ name, from, to string }{
	{"Claude Code to Codex", "claude-code", "codex"},
	{"Codex to Claude Code", "codex", "claude-code"},
}

// Scenario 2: a new session of the same tool gets the handoff; resuming the
// same session gets none; another project gets none.
func TestWhoIsGivenTheHandoff(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"claude-code", "codex"} {
		t.Run(tool, func(t *testing.T) {
			s := newStage(t, "claude-code", "codex")
			s.work()
			agent := s.agents[tool]
			agent.Prompt(s.Project, request)
			first := s.Sessions(tool)[0]

			s.model.Forget()
			agent.Resume(s.Project, first, "Go on for a moment.")
			carriesNothing(t, s.first(t))
			s.decided(t, tool, "resume", "nothing", "the session is resumed and still has its own history")

			other := filepath.Join(s.Dir, "elsewhere")
			s.MakeProject(other)
			s.model.Forget()
			agent.Prompt(other, "Look around here.")
			carriesNothing(t, s.first(t))

			s.model.Forget()
			agent.Prompt(s.Project, "What is the state of things?")
			carries(t, s.first(t))
		})
	}
}

// Scenario 3: after a compaction in Claude Code the handoff is there again.
func TestAfterACompactionTheHandoffIsGivenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t, "claude-code", "codex")
	s.work()
	claude := s.agents["claude-code"]
	claude.Prompt(s.Project, request)
	session := s.Sessions("claude-code")[0]
	claude.Resume(s.Project, session, "/compact keep names")
	if n := len(s.model.Requests(mockmodel.Compact)); n != 1 {
		t.Fatalf("%d compaction requests, want 1", n)
	}
	s.model.Forget()
	quietAboutUs(t, claude.Resume(s.Project, session, "Where were we?"))
	text := s.first(t)
	if !strings.Contains(text, mockmodel.Summary) {
		t.Error("the request lacks the tool's own summary: there was no compaction")
	}
	for _, want := range []string{sentinel, "RESUME PROTOCOL: seam", "python3 test_parser.py", nextAction} {
		if !strings.Contains(text, want) {
			t.Errorf("the request after the compaction lacks %q:\n%s", want, excerpt(text))
		}
	}
}

// Scenario 4: a daemon that was down misses nothing, and while it is down the
// hook client gives out the last handoff.
func TestWithTheDaemonDown(t *testing.T) {
	t.Parallel()
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			s := newStage(t, "claude-code", "codex")
			s.work()
			s.Must(s.Dir, "daemon", "stop")
			quietAboutUs(t, s.agents[pair.from].Prompt(s.Project, request))

			s.Must(s.Dir, "daemon", "start")
			s.waitForFallback(t)
			s.Must(s.Dir, "daemon", "stop")

			s.model.Forget()
			quietAboutUs(t, s.agents[pair.to].Prompt(s.Project, "What is the state of things?"))
			carries(t, s.first(t))

			s.Must(s.Dir, "daemon", "start")
			if out := s.Must(s.Project, "search", "date parser", "--json"); !strings.Contains(out.Stdout, "Add a date parser") {
				t.Errorf("the ledger lacks the session of the time without a daemon:\n%s", out.Stdout)
			}
		})
	}
}
