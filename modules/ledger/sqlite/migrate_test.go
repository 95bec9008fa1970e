package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
)

// aged is a ledger as a version before blocks of bodies has left it, and what it
// answered before.
func aged(t *testing.T) (path string, answered string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.sqlite")
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range withFailures() {
		if _, err := store.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	answered = answers(t, store)
	err = store.file.InTx(t.Context(), "age", func(tx *sql.Tx) error { return age(t.Context(), tx) })
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	return path, answered
}

// withFailures is a history in which every tenth result has failed.
func withFailures() []ledger.Batch {
	batches := ledgertest.History(300)
	for _, batch := range batches {
		for i, event := range batch.Events {
			if event.Result != nil && i%10 == 2 {
				failed := *event.Result
				failed.Failed = true
				batch.Events[i].Result = &failed
			}
		}
	}
	return batches
}

// age undoes the migrations to blocks, by the SQL that made the tables before.
func age(ctx context.Context, tx *sql.Tx) error {
	group := &transaction{tx: tx}
	list, err := group.records(ctx, "1 ORDER BY key")
	if err != nil {
		return err
	}
	statements := []string{
		"DROP VIEW v_decisions", "DROP VIEW v_failures", "DROP TABLE block", "DROP TABLE document", "DROP INDEX event_hash", "DROP TABLE session_source",
		"CREATE INDEX occurrence_session ON occurrence (session)",
		"ALTER TABLE event DROP COLUMN hash", "ALTER TABLE event DROP COLUMN document",
		"CREATE UNIQUE INDEX event_id ON event (tool, id)",
		"CREATE VIEW v_decisions AS SELECT body FROM event", "CREATE VIEW v_failures AS SELECT body FROM event",
		"INSERT INTO search (search) VALUES ('delete-all')",
		"UPDATE meta SET value = '1' WHERE key = 'search_revision'",
		"PRAGMA user_version = 6",
	}
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	for _, r := range list {
		if _, err := tx.ExecContext(ctx, "UPDATE event SET body = ? WHERE key = ?", r.body, r.key); err != nil {
			return err
		}
		words := []string{fmt.Sprintf("·t%d", r.tool), "·k" + string(r.kind)}
		if r.project != 0 {
			words = append(words, fmt.Sprintf("·p%d", r.project))
		}
		terms := strings.Join(append(words, fulltext.TermsOf(r.body)), " ")
		if _, err := tx.ExecContext(ctx, "INSERT INTO search (rowid, terms) VALUES (?, ?)", r.key, terms); err != nil {
			return err
		}
	}
	return nil
}

// answers are the digest of a ledger, what some searches find, and every event of a
// session.
func answers(t *testing.T, store *Store) string {
	t.Helper()
	var text strings.Builder
	digest, err := store.Digest(t.Context())
	fmt.Fprintln(&text, digest, err)
	for _, query := range []ledger.Query{{Text: "plan"}, {Text: "failed once"}, {Text: `"step 10"`}, {Text: "TestLogin", Limit: 3}, {Text: "plan", Tool: "claude-code"}} {
		results, err := store.Search(t.Context(), query)
		results.Took = 0
		fmt.Fprintf(&text, "%+v %v\n", results, err)
	}
	for located, err := range store.Events(t.Context(), ledger.SessionKey{Tool: "claude-code", ID: "first"}) {
		fmt.Fprintf(&text, "%s %s %d %v\n", located.ID, located.Text, located.Ref.Offset, err)
	}
	return text.String()
}

func TestOpen_TakesOverALedgerWithoutBlocks(t *testing.T) {
	path, want := aged(t)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := answers(t, reader); got != want {
		t.Errorf("read before it was taken over: %s\nwant %s", got, want)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := answers(t, store); got != want {
		t.Errorf("taken over: %s\nwant %s", got, want)
	}
	for _, batch := range withFailures() {
		if appended, err := store.Append(t.Context(), batch); err != nil || appended.Events != 0 {
			t.Errorf("%d events of %s are taken for new ones, %v", appended.Events, batch.Source.Path, err)
		}
	}
	if err := errors.Join(store.Close(), Check(t.Context(), path)); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(path); err != nil || after.Size() >= before.Size() {
		t.Errorf("it had %d bytes and has %d, %v", before.Size(), after.Size(), err)
	}
}

// A process that ends in the middle leaves the ledger as it was, and the next one takes
// it over.
func TestOpen_TakesOverAgainWhatWasInterrupted(t *testing.T) {
	path, want := aged(t)
	killed := errors.New("killed")
	steps := db.Steps{bodies.Migration: func(ctx context.Context, tx *sql.Tx) error { return errors.Join(bodies.Adopt(ctx, tx), killed) }}
	if _, err := db.Open(path, steps); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	reader, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := answers(t, reader); got != want {
		t.Errorf("interrupted: %s\nwant %s", got, want)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	if got := answers(t, store); got != want {
		t.Errorf("taken over: %s\nwant %s", got, want)
	}
}

// What other programs read of a ledger is there without our help.
func TestViews_NeedNoBlocks(t *testing.T) {
	store := opened(t, t.TempDir())
	batch := withFailures()[0]
	if _, err := store.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	var texts []string
	err := db.Each(t.Context(), store.file.Reader(), func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		texts = append(texts, text)
		return err
	}, "SELECT text FROM v_failures")
	if err != nil || len(texts) != 30 || texts[0] != "FAIL: TestLogin" {
		t.Errorf("failures %q, %v", texts, err)
	}
}
