package runner_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/integration/mockmodel"
	"github.com/carryover-go/carryover/integration/runner"
)

// The CLIs run offline, use their tools as scripted and leave a transcript.
func TestAgentsRunAgainstTheStandInModel(t *testing.T) {
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(runner.Agents)), slices.Sorted(maps.Keys(runner.Further))) {
		t.Run(name, func(t *testing.T) {
			model := mockmodel.Start()
			defer model.Close()
			h := runner.New(t, model.URL)
			a := runner.Prepare(t, h, name)
			file := filepath.Join(h.Project, "hello.txt")
			model.Add(mockmodel.Script{Prompt: "make the hello file", Steps: []mockmodel.Step{
				mockmodel.Write(file, "hello\n"),
				mockmodel.Run("echo out; exit 3"),
				mockmodel.Say("The file is there; the command failed."),
			}})
			if name == "aider" {
				a.Then = []string{"/test echo out; exit 3"}
			}
			out := a.Prompt(h.Project, "Please make the hello file.")
			if !strings.Contains(out.Stdout, "the command failed") {
				t.Fatalf("the agent said:\n%s\n%s", out.Stdout, out.Stderr)
			}
			if got := h.Read(file); got != "hello\n" {
				t.Errorf("file holds %q", got)
			}
			want := 3
			if name == "aider" { // its first answer holds all files
				want = 2
			}
			if n := len(model.Requests(mockmodel.Turn)); n != want {
				t.Errorf("%d requests of the turn, want %d", n, want)
			}
		})
	}
}
