package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// plain is a secret of the tests, put together so that no scanner takes it for
// a leak.
const plain = "gh" + "p_" + "AbCdEfGh1jKlMn0pQrStUvWx2yZ345678901"

func TestAppend_KeepsNoSecretInAnyColumn(t *testing.T) {
	dir := t.TempDir()
	store := opened(t, dir)
	state := json.RawMessage(`{"Title":"a ` + plain + `","Queued":["` + plain + ` \"x\"",""],"Big":12345678901234567890,"Deep":{"Tasks":[{"Subject":"` + plain + `"}]}}`)
	batch := ledger.Batch{
		Source: ledger.Source{Tool: "claude-code", Path: "/s/a.jsonl", Main: "s", Position: transcript.Position{Offset: 10, Line: 1, State: state}, Parked: plain},
		Events: []transcript.Located{
			{Event: transcript.Event{ID: "t", Kind: transcript.Title, Session: "s", Text: "title " + plain, Time: time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)}},
			{Event: transcript.Event{ID: "p", Kind: transcript.Prompt, Session: "s", Text: plain, WorkDir: &transcript.WorkDir{Branch: plain}}},
		},
	}
	if _, err := store.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if err := store.Park(t.Context(), "claude-code", "/s/b.jsonl", "cannot read "+plain); err != nil {
		t.Fatal(err)
	}
	if err := store.RecordRestore(t.Context(), ledger.Restore{Reason: plain}); err != nil {
		t.Fatal(err)
	}
	hasNot(t, dir, plain)
	source, _, err := store.Source(t.Context(), "claude-code", "/s/a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(source.Position.State, &kept); err != nil {
		t.Errorf("state is no JSON any more: %s", source.Position.State)
	}
	if !bytes.Contains(source.Position.State, []byte("12345678901234567890")) {
		t.Errorf("a number changed: %s", source.Position.State)
	}
}

// A ledger that an older rule set has written is gone over when it is opened.
func TestOpen_RedactsAnOldLedgerAgain(t *testing.T) {
	dir := t.TempDir()
	store := opened(t, dir)
	batch := ledger.Batch{
		Source: ledger.Source{Tool: "codex", Path: "/s/a.jsonl", Main: "s", Position: transcript.Position{Offset: 10, Line: 1}},
		Events: []transcript.Located{{Event: transcript.Event{ID: "p", Kind: transcript.Prompt, Session: "s", Text: "needle here"}}},
	}
	if _, err := store.Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`UPDATE event SET redact_rev = 1, body = replace(body, 'needle', '` + plain + `')`,
		`UPDATE session SET title = '` + plain + `', branch = '` + plain + `'`,
		`UPDATE source SET state = '{"Title":"` + plain + `"}'`,
		`UPDATE meta SET value = '1' WHERE key = 'redact_revision'`,
		`UPDATE meta SET value = '0' WHERE key = 'search_revision'`,
	} {
		err := store.file.InTx(t.Context(), "age", func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), statement)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store = opened(t, dir)
	hasNot(t, dir, plain)
	var old int64
	if err := store.file.Reader().QueryRow("SELECT count(*) FROM event WHERE redact_rev < 2").Scan(&old); err != nil || old != 0 {
		t.Errorf("%d events of an old revision are left (%v)", old, err)
	}
}

func opened(t *testing.T, dir string) *Store {
	t.Helper()
	store, err := Open(filepath.Join(dir, "ledger.sqlite"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// hasNot searches the bytes of all files: the ledger and its log beside it.
func hasNot(t *testing.T, dir, secret string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s holds the secret", file.Name())
		}
	}
}
