package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/ledgertest"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	log, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return log
}

// fill appends a small history.
func fill(t testing.TB, log ledger.Store) {
	t.Helper()
	for _, batch := range ledgertest.History(10) {
		if _, err := log.Append(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
	}
}

// plain opens the file as another program would.
func plain(t testing.TB, path, query string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+query)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	log := open(t, path)
	if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, ledger.ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path)
}

func TestOnlyTheOwnerCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no mode bits on Windows")
	}
	dir := filepath.Join(t.TempDir(), "home", ".carryover")
	log := open(t, filepath.Join(dir, "ledger.sqlite"))
	fill(t, log)
	for name, want := range map[string]os.FileMode{
		"": 0o700, "ledger.sqlite": 0o600, "ledger.sqlite-wal": 0o600, "ledger.sqlite-shm": 0o600, "ledger.lock": 0o600,
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
		}
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	log := open(t, filepath.Join(dir, "ledger.sqlite"))
	fill(t, log)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Stat(filepath.Join(dir, "ledger.sqlite"+rest)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("ledger.sqlite%s: %v", rest, err)
		}
	}
}

// A pragma in the wrong place is silently left out, so the file is asked.
func TestPragmas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a ledger?#%41.sqlite")
	log := open(t, path)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	db := plain(t, link, "?mode=ro")
	for pragma, want := range map[string]string{"auto_vacuum": "2", "journal_mode": "wal", "user_version": "7"} {
		var got string
		if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, want %q, %v", pragma, got, want, err)
		}
	}
}

func TestTooNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	db := plain(t, path, "")
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, ledger.ErrTooNew) {
		t.Errorf("writer: %v", err)
	}
	if _, err := sqlite.OpenReadOnly(path); !errors.Is(err, ledger.ErrTooNew) {
		t.Errorf("reader: %v", err)
	}
}

func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	content := make([]byte, 8192)
	copy(content, "this is no database at all")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(path, sqlite.Options{}); !errors.Is(err, ledger.ErrCorrupt) {
		t.Errorf("writer: %v", err)
	}
	if _, err := sqlite.OpenReadOnly(path); !errors.Is(err, ledger.ErrCorrupt) {
		t.Errorf("reader: %v", err)
	}
}

func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	if _, err := sqlite.OpenReadOnly(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a ledger: %v", err)
	}
	writer := open(t, path)
	fill(t, writer)
	want, err := writer.Digest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		reader, err := sqlite.OpenReadOnly(path)
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if got, err := reader.Digest(context.Background()); err != nil || got != want {
			t.Errorf("%s: digest is %+v, %v", when, got, err)
		}
		if _, err := reader.Append(context.Background(), ledgertest.History(10)[0]); !errors.Is(err, ledger.ErrReadOnly) {
			t.Errorf("%s: append: %v", when, err)
		}
		if err := reader.Close(); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	check("beside the writer")
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the reader took the writer's log along: %v", err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	check("after the writer")
}

// A reader that takes its time does not hold up the writer, nor the writer it.
func TestAppendWhileEventsAreRead(t *testing.T) {
	log := open(t, filepath.Join(t.TempDir(), "ledger.sqlite"))
	batches := ledgertest.History(2000)
	if _, err := log.Append(context.Background(), batches[0]); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, err := range log.Events(context.Background(), ledger.SessionKey{Tool: "claude-code", ID: "first"}) {
		if err != nil {
			t.Fatal(err)
		}
		if read++; read == 1 {
			if _, err := log.Append(context.Background(), batches[1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if read != 2000 {
		t.Errorf("read %d events", read)
	}
}

// A ledger in a folder that cannot be written, as in a backup, is read.
func TestOpenReadOnly_InAFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("SKIPPED: root may write anywhere")
	}
	dir := filepath.Join(t.TempDir(), "home")
	path := filepath.Join(dir, "ledger.sqlite")
	log := open(t, path)
	fill(t, log)
	want, err := log.Digest(t.Context())
	if err := errors.Join(err, log.Close(), os.Chmod(path, 0o400), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	read, err := sqlite.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	if got, err := read.Digest(t.Context()); err != nil || got != want {
		t.Errorf("the digest is %v (%v), want %v", got, err, want)
	}
}
