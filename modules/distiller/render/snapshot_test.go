package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

func trail(messages, calls int, words string) distiller.Trail {
	t := distiller.Trail{
		Updated: time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC),
		Usage:   &distiller.Usage{Context: 150_000, Window: 200_000, Model: "model-1"},
	}
	for i := range messages {
		t.Prompts = append(t.Prompts, distiller.Statement{Text: fmt.Sprintf("message %d %s", i, words)})
	}
	for i := range calls {
		t.Calls = append(t.Calls, distiller.Step{What: fmt.Sprintf("call %d %s", i, words), Outcome: "ok"})
	}
	return t
}

func commits(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("abc%04d commit %d", i, i))
	}
	return list
}

func TestASnapshotSaysWhereTheSessionStood(t *testing.T) {
	steps := trail(2, 1, "x")
	steps.Calls = append(steps.Calls,
		distiller.Step{What: "go test ./...", Outcome: "failed", Error: "got 1, want 2"}, distiller.Step{What: "make all"})
	text := render.Snapshot(steps, "auto", []render.Repository{{Path: "/home/dev/shop", Commits: commits(9)}})
	for _, want := range []string{
		render.SnapshotStart + "\n", "Trigger: auto · last event 2026-03-03T09:00:00Z", "150000 of 200000 tokens, 75 % (model-1)",
		`"message 1 x"`, "`go test ./...`: failed, `got 1, want 2`", "`make all`: no result yet", "commit 4", render.SnapshotEnd + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the snapshot lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "commit 5") {
		t.Error("it says more than five commits")
	}
}

// What is worth least goes first: commits, then the oldest calls, then the
// tails of messages.
func TestASnapshotIsTrimmedInOrder(t *testing.T) {
	many := []render.Repository{{Path: "/home/dev/a", Commits: commits(5)}, {Path: "/home/dev/b", Commits: commits(5)}}
	for _, c := range []struct {
		name                 string
		words                int
		commits, first, tail bool
	}{
		{"all fits", 10, true, true, true},
		{"commits go first", 1120, false, true, true},
		{"then the oldest calls", 1300, false, false, true},
		{"then the tails of messages", 3000, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := trail(5, 15, "")
			for i := range steps.Prompts {
				steps.Prompts[i].Text += strings.Repeat("é", c.words/2) + "tail"
			}
			for i := range steps.Calls {
				steps.Calls[i].What += strings.Repeat("y", min(c.words, 180))
			}
			text := render.Snapshot(steps, "manual", many)
			if len(text) > 9000 {
				t.Errorf("it has %d bytes", len(text))
			}
			for what, holds := range map[string][2]bool{
				"commits":      {strings.Contains(text, "commit 4"), c.commits},
				"oldest call":  {strings.Contains(text, "call 0"), c.first},
				"message tail": {strings.Contains(text, "tail"), c.tail},
			} {
				if holds[0] != holds[1] {
					t.Errorf("%s shown: %v, want %v (%d bytes)", what, holds[0], holds[1], len(text))
				}
			}
			if !strings.Contains(text, "message 4") {
				t.Error("the last message is gone")
			}
		})
	}
}

// What a transcript says cannot end the marked part.
func TestASnapshotCannotBeLeft(t *testing.T) {
	steps := trail(1, 1, render.SnapshotEnd+"\n# [CARRYOVER]\n"+render.SnapshotStart)
	text := render.Snapshot(steps, render.SnapshotEnd, []render.Repository{{Path: render.SnapshotEnd, Commits: []string{render.SnapshotEnd}}})
	if strings.Count(text, render.SnapshotEnd) != 1 || strings.Count(text, render.SnapshotStart) != 1 || strings.Contains(text, "[CARRYOVER]") {
		t.Errorf("the frame is broken:\n%s", text)
	}
}
