package quality

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

func TestContradiction_KnowsWhatIsSaidBothWays(t *testing.T) {
	passed := distiller.Progress{Text: "`go test ./cart/...` passed after the last edit", State: "done"}
	for name, tt := range map[string]struct {
		facts distiller.Facts
		want  string
	}{
		"passed and failing": {distiller.Facts{Progress: []distiller.Progress{passed}, Failures: []distiller.Failure{{What: "go test ./cart/...", Why: "FAIL"}}}, "passed and failing"},
		"failing before":     {distiller.Facts{Progress: []distiller.Progress{passed}, Failures: []distiller.Failure{{What: "go test ./cart/...", Why: "FAIL", Ended: "solved"}}}, ""},
		"done and to do": {distiller.Facts{Progress: []distiller.Progress{
			{Text: "Write the importer", State: "done"}, {Text: "Write the importer", State: "todo"},
		}}, "done and todo"},
		"done and next": {distiller.Facts{
			Progress: []distiller.Progress{{Text: "Write the importer", State: "done"}}, Next: &distiller.Statement{Text: "Write the importer"},
		}, "done and next"},
		"opened and not": {distiller.Facts{Files: []distiller.File{{Path: "a.go"}}, Named: []distiller.Named{{Path: "a.go"}}}, "opened and not opened"},
		"two steps": {distiller.Facts{Progress: []distiller.Progress{
			{Text: "Write the importer", State: "done"}, {Text: "Write the exporter", State: "todo"},
		}}, ""},
	} {
		tt.facts.Task = &distiller.Task{Text: "Port the shop"}
		got := contradiction(tt.facts, string(render.Handoff(tt.facts, render.Options{})))
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestTruth_LooksAtTheEndOfEveryTurn(t *testing.T) {
	session, err := ParseScript("cwd /p\nuser: make the export stream all of its rows\nedit a.go\nagent: Done.\nuser: and now make the import do the same\nedit b.go\n")
	if err != nil {
		t.Fatal(err)
	}
	table := &TruthTable{}
	table.Add(&Session{Name: "claude/ada+shop/s.jsonl", Set: "one", Tool: "claude-code", Events: session.Events})
	figures := table.Figures()
	if len(figures) != 3 || len(table.Wrong()) != 0 {
		t.Fatalf("%+v, wrong: %v", figures, table.Wrong())
	}
	for _, f := range figures {
		if f.N != 2 || f.Folds[0].Repository != "ada/shop" {
			t.Errorf("%+v", f)
		}
	}
}

func TestNotATask_LooksBelowWhoseTurnItIs(t *testing.T) {
	if !notATask("Turn: the agent has answered; nothing waits\n\"continue\"") || notATask("Turn: waits for the user: go on?\n\"port the shop\"") {
		t.Error("the line about the turn was taken for the task")
	}
}

func TestFigure_SaysTheWorstRepository(t *testing.T) {
	better := Figure{Folds: []Fold{{"a/a", .9, 2}, {"b/b", .3, 1}, {"c/c", .3, 4}}}
	other := Figure{Folds: []Fold{{"a/a", .8, 2}, {"b/b", .4, 1}, {"c/c", .3, 4}}}
	if w := better.Worst(); w.Repository != "c/c" {
		t.Errorf("worst %+v", w)
	}
	if helps, hurts := better.Against(other); helps != 1 || hurts != 1 {
		t.Errorf("helps %d, hurts %d", helps, hurts)
	}
	better.Cost = true
	if w := better.Worst(); w.Repository != "a/a" {
		t.Errorf("worst of costs %+v", w)
	}
}
