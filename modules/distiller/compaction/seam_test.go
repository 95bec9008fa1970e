package compaction_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/compaction"
)

func TestWhatASummaryKeptAndLost(t *testing.T) {
	facts := distiller.Facts{
		Files:    []distiller.File{{Path: "src/parser.py"}, {Path: "src/dates.py"}},
		Failures: []distiller.Failure{{What: "go test ./...", Why: "got 1, want 2"}},
		Decisions: []distiller.Decision{
			{Question: "Which store?", Chosen: []string{"SQLite, one file"}}, {Chosen: []string{"never touch vendor"}},
		},
	}
	trail := distiller.Trail{Calls: []distiller.Step{{What: "make all", Shell: true}, {What: "Edit src/parser.py"}, {What: "go test ./...", Shell: true}}}
	items := compaction.Compare(facts, trail, "Worked on Parser.py. Ran `go  test ./...`.\nThe store is one file, with SQLite.")
	want := map[string]bool{
		"file src/parser.py": true, "file src/dates.py": false, "command make all": false, "command go test ./...": true,
		"error got 1, want 2": false, "decision Which store? → SQLite, one file": true, "decision never touch vendor": false,
	}
	for _, item := range items {
		kept, known := want[item.Kind+" "+item.Text]
		if !known || kept != item.Kept {
			t.Errorf("%s %q kept: %v", item.Kind, item.Text, item.Kept)
		}
	}
	if len(items) != len(want) {
		t.Errorf("%d items, want %d: %+v", len(items), len(want), items)
	}
	for _, item := range compaction.Compare(facts, trail, "") {
		if item.Kept {
			t.Errorf("a summary that cannot be read kept %q", item.Text)
		}
	}
}
