package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// speakers are the agents that speak the Agent Client Protocol, by themselves or
// through an adapter.
var speakers = []string{"gemini-cli", "copilot-cli", "opencode", "claude-code", "codex", "kilo", "kimi-code", "qwen-code"}

// A session in an editor ends, and the next session of another tool begins with what it
// did, once; and the other way round.
func TestEditor_TheHandoffCrosses(t *testing.T) {
	t.Parallel()
	for _, tool := range speakers {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			other := "codex"
			if tool == other {
				other = "claude-code"
			}
			s := newStage(t, tool, other)
			s.work()
			s.model.Add(mockmodel.Script{Prompt: "Note the state", Steps: []mockmodel.Step{
				mockmodel.Write(filepath.Join(s.Project, "NOTES.md"), "The parser is not finished.\n"),
				mockmodel.Say("The notes are written.\n\nNext: round the parts to int in parser.py."),
			}})
			editor := s.agents[tool].EditBehind(s.Project)
			session, err := editor.Open(s.Project)
			if err != nil {
				t.Fatal(err)
			}
			if err := editor.Ask(session, request); err != nil {
				t.Fatal(err)
			}
			carriesNothing(t, s.first(t))
			editor.Leave(t)
			s.model.Forget()
			s.agents[other].Prompt(s.Project, "Note the state of things.")
			handsOver(t, s.first(t))

			s.model.Forget()
			editor = s.agents[tool].EditBehind(s.Project)
			if session, err = editor.Open(s.Project); err != nil {
				t.Fatal(err)
			}
			if err := editor.Ask(session, "What is the state of things?"); err != nil {
				t.Fatal(err)
			}
			text := s.first(t)
			if n := strings.Count(text, sentinel); n != 1 || !strings.Contains(text, "Note the state of things") {
				t.Errorf("the handoff is in the request %d times:\n%s", n, excerpt(text))
			}
			if t.Failed() {
				t.Log(s.Carryover(s.Project, "status", "--why").Stdout)
			}
			if !strings.Contains(text, "RESUME PROTOCOL: ask") && tool != "opencode" && tool != "kilo" {
				t.Errorf("somebody sits at the editor:\n%s", excerpt(text))
			}
		})
	}
}

// An agent of which no hook is connected is given the handoff by the editor's connection
// alone, once, and again after a compaction.
func TestEditor_GivesItWithoutHooks(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"gemini-cli", "claude-code", "copilot-cli", "opencode", "kilo", "kimi-code", "qwen-code"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "codex")
			s.agents[tool] = runner.Prepare(t, s.Home, tool)
			s.work()
			s.agents["codex"].Prompt(s.Project, request)
			s.model.Forget()
			editor := s.agents[tool].EditBehind(s.Project)
			session, err := editor.Open(s.Project)
			if err != nil {
				t.Fatal(err)
			}
			for _, prompt := range []string{"Go on for a moment.", "Note nothing, and wait."} {
				if err := editor.Ask(session, prompt); err != nil {
					t.Fatal(err)
				}
			}
			handsOver(t, s.first(t))
			requests := s.model.Requests(mockmodel.Turn)
			if n := strings.Count(requests[len(requests)-1].Text(), sentinel); n != 1 {
				t.Errorf("the last request has it %d times", n)
			}
			command := "/compact"
			switch tool {
			case "gemini-cli":
				return // it has no such command in an editor
			case "qwen-code":
				command = "/compress"
			}
			if err := editor.Ask(session, command); err != nil {
				t.Fatal(err)
			}
			s.compacted(t)
			text := s.afterCompaction(t, func() error { return editor.Ask(session, "Where were we?") })
			most := 1
			if slices.Contains([]string{"copilot-cli", "kimi-code"}, tool) {
				most = 2 // the person's prompts, and what came with them, outlive a compaction
			}
			if n := strings.Count(text, sentinel); n < 1 || n > most {
				t.Errorf("after the compaction the request has it %d times:\n%s", n, excerpt(text))
			}
			if tool != "copilot-cli" && !strings.Contains(text, "RESUME PROTOCOL: seam") {
				t.Errorf("the work is not given back:\n%s", excerpt(text))
			}
		})
	}
}

// compacted waits until the agent has asked the model for a summary: Kimi Code answers
// the command before it does.
func (s *stage) compacted(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); len(s.model.Requests(mockmodel.Compact)) == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the agent was told to compact and did not")
		}
	}
}

// afterCompaction is the first request of a turn after a compaction that has what was
// lost, or that of the third prompt: a compaction that the agent has not written down
// when it is asked is answered at the next prompt.
func (s *stage) afterCompaction(t *testing.T, ask func() error) (text string) {
	t.Helper()
	for range 3 {
		s.model.Forget()
		if err := ask(); err != nil {
			t.Fatal(err)
		}
		if text = s.first(t); strings.Contains(text, "RESUME PROTOCOL: seam") {
			break
		}
	}
	return text
}
