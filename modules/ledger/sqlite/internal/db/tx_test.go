package db_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

func open(t *testing.T) *db.File {
	t.Helper()
	file, err := db.Open(filepath.Join(t.TempDir(), "ledger.sqlite"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// addTool is a change that a test can look for with tools.
func addTool(tx *sql.Tx, name string) error {
	_, err := tx.Exec("INSERT INTO tool (name) VALUES (?)", name)
	return err
}

func tools(t *testing.T, file *db.File) (n int) {
	t.Helper()
	if err := file.Reader().QueryRow("SELECT count(*) FROM tool").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestInTx_CommitsPlainAndMappedRowsTogether(t *testing.T) {
	file := open(t)
	err := file.InTx(context.Background(), "add tools", func(tx *sql.Tx) error {
		if err := addTool(tx, "a"); err != nil {
			return err
		}
		var seen int64
		rows := file.RowsIn(context.Background(), tx)
		if err := rows.Table("tool").Count(&seen).Error; err != nil || seen != 1 {
			t.Errorf("the mapped rows are in another transaction: %d, %v", seen, err)
		}
		return rows.Table("tool").Create(map[string]any{"name": "b"}).Error
	})
	if n := tools(t, file); err != nil || n != 2 {
		t.Errorf("%d tools, %v", n, err)
	}
}

func TestInTx_RollsBackAfterAnError(t *testing.T) {
	file := open(t)
	failed := errors.New("disk on fire")
	err := file.InTx(context.Background(), "add tools", func(tx *sql.Tx) error {
		return errors.Join(addTool(tx, "a"), failed)
	})
	if !errors.Is(err, failed) || !strings.HasPrefix(err.Error(), "add tools: ") {
		t.Error(err)
	}
	if n := tools(t, file); n != 0 {
		t.Errorf("%d tools", n)
	}
}

// The one writing connection must be free again.
func TestInTx_RollsBackAfterAPanic(t *testing.T) {
	file := open(t)
	func() {
		defer func() { _ = recover() }()
		_ = file.InTx(context.Background(), "add tools", func(tx *sql.Tx) error {
			_ = addTool(tx, "a")
			panic("a bug")
		})
	}()
	err := file.InTx(context.Background(), "add tools", func(tx *sql.Tx) error { return addTool(tx, "b") })
	if n := tools(t, file); err != nil || n != 1 {
		t.Errorf("%d tools, %v", n, err)
	}
}

func TestInTx_RefusesWhenOpenForReading(t *testing.T) {
	file := open(t)
	reader, err := db.OpenReadOnly(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	err = reader.InTx(context.Background(), "add tools", func(*sql.Tx) error {
		t.Error("the change was made")
		return nil
	})
	if !errors.Is(err, ledger.ErrReadOnly) || !errors.Is(reader.Compact(context.Background()), ledger.ErrReadOnly) {
		t.Error(err)
	}
}

func TestInTx_MarksADamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Open(path, nil); !errors.Is(err, ledger.ErrCorrupt) {
		t.Error(err)
	}
	pool, err := db.Connect(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.Close() }()
	err = open(t).InTx(context.Background(), "read it", func(*sql.Tx) error {
		_, err := pool.Exec("SELECT * FROM tool")
		return err
	})
	if !errors.Is(err, ledger.ErrCorrupt) {
		t.Error(err)
	}
}

// An interrupted read ends a moment after the pool is closed.
func TestClose_WaitsForReadsAndLeavesOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	file, err := db.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	add := func(tx *sql.Tx) error { return addTool(tx, "a") }
	if err := file.InTx(t.Context(), "add a tool", add); err != nil {
		t.Fatal(err)
	}
	rows, err := file.Reader().Query("SELECT name FROM tool")
	if err != nil || !rows.Next() {
		t.Fatal(err, "no row")
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = rows.Close() })
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A reader beside a daemon that makes its first ledger sees it whole or not at all.
func TestOpenReadOnly_SeesANewFileWholeOrNotAtAll(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "ledger.sqlite")
		made := make(chan error, 1)
		go func() {
			file, err := db.Open(path, nil)
			if err == nil {
				err = file.Close()
			}
			made <- err
		}()
		for there := false; !there; {
			file, err := db.OpenReadOnly(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !file.Current() {
				t.Error("the file has an earlier schema")
			}
			tools(t, file)
			there = true
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := <-made; err != nil {
			t.Fatal(err)
		}
	}
}

// A context that ends just as a statement does leaves its interruption behind.
func TestClose_MovesTheLogAfterAnInterruptedChange(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "ledger.sqlite")
		file, err := db.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Duration(n*20)*time.Microsecond, cancel)
			_ = file.InTx(ctx, "add a tool", func(tx *sql.Tx) error { return addTool(tx, strings.Repeat("a", n+1)) })
			cancel()
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
			t.Fatalf("left: %q", left)
		}
	}
}
