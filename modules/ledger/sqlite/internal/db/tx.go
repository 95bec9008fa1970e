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
	if err := f.inTx(ctx, do); err != nil {
		if err = Damaged(err); errors.Is(err, ledger.ErrCorrupt) && f.damaged != nil {
			f.damaged()
		}
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
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
