package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	driver "github.com/glebarez/go-sqlite"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Writable fails with ledger.ErrReadOnly when the file is open for reading.
func (f *File) Writable() error {
	if f.write == nil {
		return ledger.ErrReadOnly
	}
	return nil
}

// InTx runs do in a transaction, which is committed when do succeeds and rolled
// back otherwise, also by a panic. Errors begin with what, the action that the
// transaction is part of, and carry ledger.ErrCorrupt when SQLite finds the file
// damaged. A file that is open for reading refuses with ledger.ErrReadOnly.
func (f *File) InTx(ctx context.Context, what string, do func(tx *sql.Tx) error) error {
	if err := f.Writable(); err != nil {
		return err
	}
	if err := f.noted(f.inTx(ctx, do)); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_ = f.noted(f.nameLog(ctx)) // the change is made; the next one names the log
	return nil
}

// noted is Damaged, and has somebody told.
func (f *File) noted(err error) error {
	if err = Damaged(err); errors.Is(err, ledger.ErrCorrupt) && f.damaged != nil {
		f.damaged()
	}
	return err
}

func (f *File) inTx(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := f.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to roll back after a commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Compact rewrites the file, so that no free page holds what was deleted, and
// empties the write-ahead log. It cannot run in a transaction.
func (f *File) Compact(ctx context.Context) error {
	if err := f.Writable(); err != nil {
		return err
	}
	if _, err := f.write.ExecContext(ctx, "VACUUM"); err != nil {
		return Damaged(err)
	}
	return f.emptyLog(ctx)
}

// GiveBack takes the free pages out of the file and empties the write-ahead log. It
// needs no memory for the whole of it, as Compact does, and leaves pages half full.
func (f *File) GiveBack(ctx context.Context) error {
	for free := 1; free > 0; {
		// It has a row for each page, and stops when nobody asks for the next. What one
		// statement changes is remembered in memory.
		err := Each(ctx, f.write, func(*sql.Rows) error { return nil }, "PRAGMA incremental_vacuum(4096)")
		if err == nil {
			err = f.write.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free)
		}
		if err != nil {
			return Damaged(err)
		}
	}
	return f.emptyLog(ctx)
}

func (f *File) emptyLog(ctx context.Context) error {
	// The busy timeout waits for readers; one that stays longer is reported.
	var busy, frames, moved int
	if err := f.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return Damaged(err)
	}
	if busy != 0 {
		return ErrBusy
	}
	return nil
}

// ErrBusy says that the write-ahead log still holds what was deleted.
var ErrBusy = errors.New("another program reads the ledger: its write-ahead log keeps the former text until that ends")

// Damaged adds ledger.ErrCorrupt to an error by which SQLite says that the
// file is not, or no longer, a database (SQLITE_CORRUPT, SQLITE_NOTADB), and
// ledger.ErrNoSpace to one by which it says that it cannot write (SQLITE_FULL,
// SQLITE_IOERR).
func Damaged(err error) error {
	var failed *driver.Error
	if errors.As(err, &failed) {
		switch failed.Code() & 0xff {
		case 11, 26:
			return fmt.Errorf("%w: %w", ledger.ErrCorrupt, err)
		case 10, 13:
			return fmt.Errorf("%w: %w", ledger.ErrNoSpace, err)
		}
	}
	return err
}
