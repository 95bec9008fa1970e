package runner_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// The CLIs run offline, use their tools as scripted and leave a transcript.
func TestAgentsRunAgainstTheStandInModel(t *testing.T) {
	for name, prepare := range map[string]func(testing.TB, *runner.Home) *runner.Agent{
		"claude-code": runner.ClaudeCode, "codex": runner.Codex, "copilot-cli": runner.Copilot, "gemini-cli": runner.Gemini,
	} {
		t.Run(name, func(t *testing.T) {
			model := mockmodel.Start()
			defer model.Close()
			h := runner.New(t, model.URL)
			a := prepare(t, h)
			file := filepath.Join(h.Project, "hello.txt")
			model.Add(mockmodel.Script{Prompt: "make the hello file", Steps: []mockmodel.Step{
				mockmodel.Write(file, "hello\n"),
				mockmodel.Run("echo out; exit 3"),
				mockmodel.Say("The file is there; the command failed."),
			}})
			out := a.Prompt(h.Project, "Please make the hello file.")
			if !strings.Contains(out.Stdout, "the command failed") {
				t.Fatalf("the agent said:\n%s\n%s", out.Stdout, out.Stderr)
			}
			if got := h.Read(file); got != "hello\n" {
				t.Errorf("file holds %q", got)
			}
			if n := len(model.Requests(mockmodel.Turn)); n != 3 {
				t.Errorf("%d requests of the turn, want 3", n)
			}
		})
	}
}
