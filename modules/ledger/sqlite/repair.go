package sqlite

import (
	"context"
	"database/sql"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
)

// Check reads a whole ledger, also one that somebody writes, and fails with
// ledger.ErrCorrupt when SQLite finds fault with it or the checksum of a row does
// not hold. Nothing is changed.
func Check(ctx context.Context, path string) error { return db.Check(ctx, path) }

// Reread rebuilds the index and lets every transcript be read again from its
// start, as a better reader would: its events take the place of the former
// ones in one transaction. What only the ledger has stays.
func (l *Store) Reread(ctx context.Context) error {
	return l.file.InTx(ctx, "repair", func(tx *sql.Tx) error {
		if err := fulltext.Rebuild(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE source SET revision = -1 WHERE NOT hook")
		return err
	})
}
