package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// secret is what the tests forget; cores are parts of it that would show it in
// an index or a page.
const secret = "Zanzibarian Ledger"

func withSecret() ledger.Batch {
	batch := ledgertest.History(10)[0]
	batch.Events[0].Text = "the client is " + secret + ", do not tell"
	batch.Events[1].Kind = transcript.Title
	batch.Events[1].Text = secret + " invoices"
	batch.Events[2].Kind = transcript.Call
	batch.Events[2].Call = &transcript.CallInfo{ID: "c1", Name: "Bash", Meaning: transcript.Shell, Command: `echo "` + secret + `"`}
	return batch
}

// holds looks through every file of a folder.
func holds(t *testing.T, dir string, words ...string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, word := range words {
			if bytes.Contains(bytes.ToLower(content), []byte(strings.ToLower(word))) {
				t.Errorf("%s holds %q", filepath.Base(path), word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ledger.sqlite")
	if _, err := os.Stat(path); err == nil {
		packedHolds(t, plain(t, path, "?mode=ro"), words...)
	}
}

// packedHolds looks through everything that is compressed in a ledger. A free page
// might hold some that is in no table.
func packedHolds(t *testing.T, db *sql.DB, words ...string) {
	t.Helper()
	var free int
	if err := db.QueryRow("PRAGMA freelist_count").Scan(&free); err != nil || free != 0 {
		t.Errorf("%d free pages, %v", free, err)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	rows, err := db.Query("SELECT packed FROM block UNION ALL SELECT packed FROM original")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var packed []byte
		if err := rows.Scan(&packed); err != nil {
			t.Fatal(err)
		}
		text, err := decoder.DecodeAll(packed, nil)
		if err != nil {
			t.Error(err)
		}
		for _, word := range words {
			if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(word))) {
				t.Errorf("%q is in what is compressed", word)
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}

// A forgotten text is in no byte of any file, is found no more, and does not
// come back when the transcript that holds it is read again.
func TestAForgottenTextIsInNoByte(t *testing.T) {
	dir := t.TempDir()
	log := open(t, filepath.Join(dir, "ledger.sqlite"))
	batch := withSecret()
	if _, err := log.Append(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	err := log.PutAgentLedger(context.Background(), "p", ledger.AgentLedger{AgentName: "ada", CurrentTask: "bill " + secret, UpdatedAt: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	piece := ledger.OriginalPiece{Tool: batch.Source.Tool, Path: batch.Source.Path, Text: []byte(`{"text":"bill ` + secret + `"}` + "\n")}
	if err := log.KeepOriginals(context.Background(), []ledger.OriginalPiece{piece}); err != nil {
		t.Fatal(err)
	}
	done, err := log.Forget(context.Background(), ledger.Forgetting{Text: strings.ToLower(secret)})
	if err != nil || done.Events != 3 || done.Agents != 1 {
		t.Fatalf("forgot %+v, %v", done, err)
	}
	holds(t, dir, "zanzibarian", "anzibaria")
	if n := find(t, log, "zanzibarian"); n != 0 {
		t.Errorf("found %d times", n)
	}
	if n := find(t, log, "client"); n != 1 {
		t.Errorf("what stood beside it is found %d times", n)
	}
	batch.Replace = true
	if _, err := log.Append(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	if n := find(t, log, "zanzibarian"); n != 0 {
		t.Errorf("it came back: found %d times", n)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "zanzibarian", "anzibaria")
}

// A forgotten session is gone with what only it had, and stays away, also in a
// ledger that is rebuilt beside the marks.
func TestAForgottenSessionStaysAway(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ledger.sqlite")
	log := open(t, path)
	batch := withSecret()
	if _, err := log.Append(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	key := ledger.SessionKey{Tool: batch.Source.Tool, ID: batch.Events[0].Session}
	if key.ID == "" {
		key.ID = batch.Source.Main
	}
	done, err := log.Forget(context.Background(), ledger.Forgetting{Sessions: []ledger.SessionKey{key}})
	if err != nil || done.Sessions != 1 || done.Events == 0 {
		t.Fatalf("forgot %+v, %v", done, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "zanzibarian")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	log = open(t, path)
	if _, err := log.Append(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := log.Session(context.Background(), key); ok || err != nil {
		t.Errorf("it came back: %v", err)
	}
}

func TestTooShortATextIsNotForgotten(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	if _, err := log.Forget(context.Background(), ledger.Forgetting{Text: "go"}); !errors.Is(err, tombstone.ErrTooShort) {
		t.Errorf("got %v", err)
	}
}

// A project that moved is found at its new place; two that are one are merged.
func TestProjectsMoveAndMerge(t *testing.T) {
	ctx := context.Background()
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	for _, path := range []string{"/old/shop", "/work/notes"} {
		if _, err := log.Project(ctx, ledger.ProjectIdentity{Common: path, Worktree: path}); err != nil {
			t.Fatal(err)
		}
	}
	moved, err := log.MoveProject(ctx, "/old/shop", "/new/shop")
	if err != nil || moved.Path != "/new/shop" || len(moved.Paths) != 2 {
		t.Fatalf("moved to %+v, %v", moved, err)
	}
	if _, err := log.MoveProject(ctx, "/new/shop", "/work/notes"); err == nil {
		t.Error("moved onto another project")
	}
	merged, err := log.MergeProjects(ctx, "/work/notes", "/new/shop")
	if err != nil || merged.ID != moved.ID || len(merged.Paths) != 3 {
		t.Fatalf("merged into %+v, %v", merged, err)
	}
	if _, err := log.MoveProject(ctx, "/nowhere", "/there"); !errors.Is(err, ledger.ErrNoProject) {
		t.Errorf("got %v", err)
	}
}
