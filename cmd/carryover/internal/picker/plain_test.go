package picker_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/cmd/carryover/internal/picker"
)

// Where nothing can be drawn the answer is one line.
func TestAnAnswerOfOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		want  []string
		err   error
	}{
		"enter takes what is marked":     {typed: "\n", want: []string{"claude-code"}},
		"numbers":                        {typed: "2, 1\n", want: []string{"claude-code", "codex"}},
		"a last line without its end":    {typed: "2", want: []string{"codex"}},
		"none":                           {typed: "0\n", want: []string{}},
		"a wrong one is asked for again": {typed: "7\nx\n2\n", want: []string{"codex"}},
		"nobody":                         {typed: "", err: picker.ErrNobody},
		"nobody, after a wrong answer":   {typed: "9\n", err: picker.ErrNobody},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := question(t, c.typed).Ask(context.Background())
			if !slices.Equal(got, c.want) || !errors.Is(err, c.err) {
				t.Errorf("chosen: %q (%v), want %q (%v)", got, err, c.want, c.err)
			}
		})
	}
}

func TestTheListIsShownInColumns(t *testing.T) {
	q := question(t, "\n")
	if _, err := q.Ask(context.Background()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(q.Out.Name())
	want := "Which ones?\n" +
		"  1 [x] Claude Code  2.1.329\n" +
		"  2 [ ] Codex CLI    not found\n" +
		"press enter to accept, or type numbers (1,3; 0 for none): \n"
	if err != nil || string(got) != want {
		t.Errorf("shown (%v):\n%s\nwant:\n%s", err, got, want)
	}
}

func question(t *testing.T, typed string) picker.Question {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.WriteFile(in, []byte(typed), 0o600); err != nil {
		t.Fatal(err)
	}
	return picker.Question{
		Title: "Which ones?", Verb: "takes them", In: open(t, in, os.O_RDONLY), Out: open(t, filepath.Join(dir, "out"), os.O_CREATE|os.O_WRONLY),
		Choices: []picker.Choice{
			{Value: "claude-code", Name: "Claude Code", Detail: "2.1.329", Checked: true},
			{Value: "codex", Name: "Codex CLI", Detail: "not found", Missing: true},
		},
	}
}

func open(t *testing.T, path string, flag int) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}
