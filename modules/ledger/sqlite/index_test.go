package sqlite_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
)

func find(t *testing.T, log ledger.Store, text string) int {
	t.Helper()
	results, err := log.Search(context.Background(), ledger.Query{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return results.Total
}

// A word whose last event is gone must not be in the file any more: a
// contentless index that is asked to delete other words than it has says
// nothing and keeps them.
func TestForgottenWordsLeaveTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	log := open(t, path)
	batch := ledgertest.History(10)[0]
	batch.Events[0].Text = "the word is zanzibar"
	batch.Source.Rewrites = true
	for range 2 {
		if _, err := log.Append(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
		batch.Events[0].Text = "the word is another"
		batch.Replace = true
	}
	if n := find(t, log, "zanzibar"); n != 0 {
		t.Errorf("found %d times", n)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte("nziba")) {
		t.Error("the word is still in the file")
	}
}

// An index made by another revision is rebuilt when the ledger is opened.
func TestIndexIsMadeAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	log := open(t, path)
	fill(t, log)
	want := find(t, log, "plan")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	db := plain(t, path, "")
	for _, statement := range []string{
		"INSERT INTO search (search) VALUES ('delete-all')",
		"UPDATE meta SET value = '0' WHERE key = 'search_revision'",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := find(t, open(t, path), "plan"); got != want || want == 0 {
		t.Errorf("found %d times, before %d", got, want)
	}
}
