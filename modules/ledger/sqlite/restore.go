package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// RecordRestore keeps a decision of the restore gate.
func (l *Store) RecordRestore(ctx context.Context, restore ledger.Restore) error {
	row := restoreRow{
		Tool: restore.Session.Tool, Session: restore.Session.ID,
		FromTool: restore.From.Tool, FromID: restore.From.ID,
		Project: restore.Project, Event: restore.Event, Source: restore.Source,
		Decision: restore.Decision, Reason: l.ScrubText(redact.Text(restore.Reason)),
		Lines: restore.Lines, Bytes: restore.Bytes, SHA256: restore.SHA256,
		Time: db.Milliseconds(restore.Time),
	}
	return l.file.InTx(ctx, "record restore", func(tx *sql.Tx) error {
		return l.file.RowsIn(ctx, tx).Create(&row).Error
	})
}

// Restores lists the decisions about a session, newest first; of all sessions
// for the zero key, without bound for a limit of 0.
func (l *Store) Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error) {
	query := l.file.Rows(ctx).Order("id DESC")
	if session != (ledger.SessionKey{}) {
		query = query.Where("tool = ? AND session = ?", session.Tool, session.ID)
	}
	if limit > 0 {
		query = query.Limit(limit)
	}
	var rows []restoreRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("list restores: %w", db.Damaged(err))
	}
	restores := make([]ledger.Restore, len(rows))
	for i, row := range rows {
		restores[i] = ledger.Restore{
			Session: ledger.SessionKey{Tool: row.Tool, ID: row.Session},
			From:    ledger.SessionKey{Tool: row.FromTool, ID: row.FromID},
			Project: row.Project, Event: row.Event, Source: row.Source,
			Decision: row.Decision, Reason: row.Reason,
			Lines: row.Lines, Bytes: row.Bytes, SHA256: row.SHA256,
			Time: db.Time(row.Time),
		}
	}
	return restores, nil
}
