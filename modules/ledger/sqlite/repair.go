package sqlite

import (
	"context"
	"database/sql"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
)

// Check reads a whole ledger, also one that somebody writes, and fails with
// ledger.ErrCorrupt when SQLite finds fault with it or the checksum of a row does
// not hold. Nothing is changed.
func Check(ctx context.Context, path string) error { return db.Check(ctx, path, bodies.WrongSums) }

// Check is the function, of this ledger.
func (l *Store) Check(ctx context.Context) error { return Check(ctx, l.file.Path()) }

// Reread rebuilds the index and lets every transcript be read again from its
// start: its events take the place of the former ones in one transaction. What a
// transcript no longer has stays, as do the events of those that are gone. The
// negative revision makes every reader read again, and keeps what it was.
func (l *Store) Reread(ctx context.Context) error {
	return l.file.InTx(ctx, "repair", func(tx *sql.Tx) error {
		if err := fulltext.Rebuild(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE source SET revision = -1 - revision WHERE NOT hook AND revision >= 0")
		return err
	})
}
