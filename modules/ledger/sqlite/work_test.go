package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// rowsRead is how many rows are read for something.
func rowsRead(do func()) int64 {
	before := db.RowsRead()
	do()
	return db.RowsRead() - before
}

// A part of a session costs the rows that it shows, wherever it stands and however
// long the session is.
func TestEventPart_ReadsNoMoreRowsThanItShows(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	appendBatches(t, log, longSession(20_000))
	for name, window := range map[string]ledger.EventWindow{
		"the last":         {Last: true, Limit: 100},
		"in the middle":    {Before: 9000, Limit: 100},
		"from the middle":  {From: 9000, Limit: 100},
		"in the beginning": {Limit: 100},
	} {
		rows := rowsRead(func() {
			part, err := log.EventPart(context.Background(), longKey, window)
			if err != nil || part.Total != 20_000 || len(part.Events) != 100 {
				t.Errorf("%s: %d events of %d, %v", name, len(part.Events), part.Total, err)
			}
		})
		if rows > 2*100+2+10 { // a place and an event each, and the blocks of their bodies
			t.Errorf("%s: %d rows are read for 100 events", name, rows)
		}
	}
}

// The events of a hook beside a long transcript do not make its bodies be read.
func TestEventPart_WithHooksReadsPlacesAndTimes(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	appendBatches(t, log, longSession(5_000))
	hook := ledger.Batch{Hook: true, Source: ledger.Source{Tool: longKey.Tool, Path: "hook:" + longKey.ID}}
	hook.Events = []transcript.Located{{Event: transcript.Event{Tool: longKey.Tool, Session: longKey.ID, ID: "a-hook", Kind: transcript.Git}}}
	appendBatches(t, log, []ledger.Batch{hook})
	rows := rowsRead(func() {
		if part, err := log.EventPart(context.Background(), longKey, ledger.EventWindow{Last: true, Limit: 100}); err != nil || part.Total != 5_001 {
			t.Errorf("%d events, %v", part.Total, err)
		}
	})
	if rows > 2*5_001+100+5+10 {
		t.Errorf("%d rows are read", rows)
	}
}

// The projects that are known are listed once for all new ones of a transaction, and a
// new one is among them for the next.
func TestAppendAll_ListsKnownProjectsOnce(t *testing.T) {
	var seen [][]string // of each new directory: the paths it was held against
	log, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), sqlite.Options{
		Same: func(ledger.ProjectIdentity) func(ledger.KnownProject) bool {
			seen = append(seen, nil)
			return func(known ledger.KnownProject) bool {
				seen[len(seen)-1] = append(seen[len(seen)-1], known.Paths...)
				return false
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	const count = 300
	var batches []ledger.Batch
	for n := range count {
		id := fmt.Sprintf("s%03d", count-n)
		batch := ledger.Batch{Source: ledger.Source{Tool: "claude-code", Path: "/t/" + id, Main: id}}
		batch.Events = []transcript.Located{{Event: transcript.Event{
			Tool: "claude-code", Session: id, ID: "e" + id, Kind: transcript.Prompt, Text: "go on", WorkDir: &transcript.WorkDir{Cwd: "/w/" + id},
		}}}
		batches = append(batches, batch)
	}
	rows := rowsRead(func() {
		if _, err := log.AppendAll(context.Background(), batches); err != nil {
			t.Fatal(err)
		}
	})
	if rows > 20*count {
		t.Errorf("%d rows are read for %d projects", rows, count)
	}
	for n, paths := range seen {
		if len(paths) != n || !slices.IsSorted(paths) {
			t.Fatalf("project %d was held against %d others: %v", n, len(paths), paths)
		}
	}
	if len(seen) != count {
		t.Errorf("%d projects were looked for, want %d", len(seen), count)
	}
}
