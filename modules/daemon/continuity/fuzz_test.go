package continuity

import (
	"strings"
	"testing"
)

// protocols are beginnings for what a program may print or leave.
var protocols = []string{
	"->continuity:save <<<\nCurrent task: parse\nCompleted: dates\n>>>\n", "->continuity:load", "->continuity:search \"a b\"", "->continuity:uncertain 'x",
	"> ->continuity:save <<<\nx\n>>>", "```\n->continuity:save <<<\nx\n>>>\n```", "->continuity:save <<<\nx", "\x1b[1m->continuity:load\x1b[0m", "->continuity:save \"\"\"\nx\n\"\"\"",
	"- ->continuity:save <<<a>>>", "│ ->continuity:load │", "->continuity:save <<<\n->continuity:load\n>>>",
}

// FuzzRecognizer lets a program print whatever it wants: what is found is bounded by
// it, the same text twice is no second command, and no text of Carryover's is read back.
func FuzzRecognizer(f *testing.F) {
	for _, seed := range protocols {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows := linesOf(text)
		r := NewRecognizer()
		first := r.See(rows)
		size := 0
		for _, command := range first {
			size += len(command.Text)
		}
		if size > 2*len(text)+len(first) || len(first) > len(rows) {
			t.Errorf("%d commands of %d bytes in %d bytes: %q", len(first), size, len(text), first)
		}
		if again := r.See(rows); len(again) > 0 {
			t.Errorf("the same screen gives %q once more", again)
		}
		r.Close()
		for _, command := range Mail(text) {
			if command.Verb != Save && strings.Contains(command.Text, "\n") {
				t.Errorf("%q is more than a line", command.Text)
			}
		}
	})
}

// FuzzTrajectory reads whatever stands in a project's trajectory files.
func FuzzTrajectory(f *testing.F) {
	f.Add([]byte(`{"id":"traj_1","version":1,"task":{"title":"x"},"status":"completed","chapters":[{"id":"c","events":[{"ts":1,"type":"decision","raw":{"question":"q","chosen":"c","alternatives":["a"]}}]}],"retrospective":{"summary":"s","confidence":0.5}}`))
	f.Add([]byte(`{"id":"traj_2","status":"active","task":{"title":"y"},"chapters":[]}`))
	f.Add([]byte(`{"chapters":[null],"agents":[{}],"startedAt":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := ParseTrajectory(data)
		if err == nil && read.Active != nil && read.Handoff != nil {
			t.Error("it is active and done")
		}
	})
}
