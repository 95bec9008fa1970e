package containers

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
)

// sentinel begins every text of ours; see transcript.Sentinel.
const sentinel = "# [CARRYOVER]"

// Scenario 1 with a container per agent: work in one is the first thing the
// other reads, though all they share is the home and the project.
func TestContainersTheOtherAgentReadsTheHandoff(t *testing.T) {
	for _, pair := range []struct{ name, from, to string }{
		{"Claude Code to Codex", "claude-code", "codex"},
		{"Codex to Claude Code", "codex", "claude-code"},
	} {
		t.Run(pair.name, func(t *testing.T) {
			s := newStage(t)
			s.work()

			from := s.start(t, agents[pair.from])
			from.install()
			from.prompt("Add a date parser in parser.py with a test; dates are ISO 8601 only.")
			from.run("carryover", "daemon", "stop")

			to := s.start(t, agents[pair.to])
			to.install()
			to.prompt("What is the state of things?")
			text := to.firstRequest()
			for what, want := range map[string]string{
				"the sentinel": sentinel, "the task": "Add a date parser in parser.py", "the file": "parser.py",
				"the failure": "python3 test_parser.py", "the next action": "the parts to int in parser.py",
				"the header of headless runs": "RESUME PROTOCOL: silent",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("the request lacks %s (%q)", what, want)
				}
			}
			if n := strings.Count(text, sentinel); n != 1 {
				t.Errorf("the handoff is in the request %d times", n)
			}
			if t.Failed() {
				at := max(0, strings.Index(text, sentinel))
				t.Logf("the request was:\n%s", text[at:min(len(text), at+9000)])
			}
		})
	}
}

// work is a session with something to hand over: a file written, a test that
// still fails, and a plan for what comes next.
func (s *stage) work() {
	at := func(name string) string { return filepath.Join(s.home.Project, name) }
	s.scripts = []mockmodel.Script{{Prompt: "Add a date parser", Steps: []mockmodel.Step{
		mockmodel.Write(at("parser.py"), "def parse(text):\n    return text.split('-')\n"),
		mockmodel.Write(at("test_parser.py"), "import parser\nassert parser.parse('2026-11-20') == [2026, 11, 20]\n"),
		mockmodel.Run("cd " + s.home.Project + " && python3 test_parser.py"),
		mockmodel.Say("The parser splits the date, but test_parser.py still fails: the parts are strings.\n\nNext: convert the parts to int in parser.py."),
	}}}
}
