package db_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// killed is a copy of an open file and its log: what a killed process leaves.
func killed(t *testing.T, file *db.File) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ledger.sqlite")
	for _, end := range []string{"", "-wal"} {
		copyFile(t, file.Path()+end, path+end)
	}
	return path
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func change(t *testing.T, file *db.File, name string) {
	t.Helper()
	if err := file.InTx(t.Context(), "test", func(tx *sql.Tx) error { return addTool(tx, name) }); err != nil {
		t.Fatal(err)
	}
}

// What a killed process leaves is opened, in each state of its log.
func TestOpen_TakesItsOwnLog(t *testing.T) {
	file := open(t)
	for n, step := range []func(){
		func() {},
		func() { change(t, file, "aider") },
		func() { checkpoint(t, file, "PASSIVE") },
		func() { change(t, file, "codex") },
		func() { checkpoint(t, file, "RESTART") },
		func() { change(t, file, "droid") },
		func() { checkpoint(t, file, "TRUNCATE") },
		func() { change(t, file, "pi") },
	} {
		step()
		path := killed(t, file)
		again, err := db.Open(path, nil)
		if err != nil {
			t.Fatalf("after step %d: %v", n, err)
		}
		if tools(t, again) != tools(t, file) {
			t.Errorf("after step %d: %d tools, want %d", n, tools(t, again), tools(t, file))
		}
		change(t, again, "later")
		if err := db.Own(killed(t, again)); err != nil {
			t.Errorf("killed again after step %d: %v", n, err)
		}
		_ = again.Close()
	}
}

func checkpoint(t *testing.T, file *db.File, mode string) {
	t.Helper()
	pool, err := sql.Open("sqlite", "file:"+file.Path())
	if err == nil {
		_, err = pool.Exec("PRAGMA wal_checkpoint(" + mode + ")")
		err = errors.Join(err, pool.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// SQLite would move the pages of any log into the file.
func TestOpen_RefusesTheLogOfAnother(t *testing.T) {
	file, other := open(t), open(t)
	change(t, file, "aider")
	early := killed(t, file)
	checkpoint(t, file, "TRUNCATE")
	change(t, file, "codex")
	change(t, other, "droid")
	for name, log := range map[string]string{"of another ledger": other.Path() + "-wal", "of an earlier time": early + "-wal"} {
		t.Run(name, func(t *testing.T) {
			path := killed(t, file)
			copyFile(t, log, path+"-wal")
			if name == "of an earlier time" {
				checkpoint(t, file, "TRUNCATE")
				copyFile(t, file.Path(), path)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Open(path, nil); !errors.Is(err, db.ErrForeignLog) {
				t.Errorf("opened for writing: %v", err)
			}
			if _, err := db.OpenReadOnly(path); !errors.Is(err, ledger.ErrCorrupt) {
				t.Errorf("opened for reading: %v", err)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}
