// Package restores keeps the decisions of the restore gate: which session was given
// what, and why.
package restores

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Store is the decisions. It is safe for concurrent use; its methods are those of
// ledger.Store.
type Store struct {
	file  *db.File
	scrub func(string) string
}

// New is the store in an open ledger file. Scrub takes forgotten texts out of what is
// stored.
func New(file *db.File, scrub func(string) string) *Store { return &Store{file, scrub} }

type row struct {
	ID       int64
	Tool     string
	Session  string
	FromTool string
	FromID   string
	Project  string
	Event    string
	Source   string
	Decision string
	Reason   string
	Lines    int
	Bytes    int
	SHA256   string `gorm:"column:sha256"`
	Time     int64
}

func (row) TableName() string { return "restore" }

// RecordRestore keeps a decision of the restore gate.
func (s *Store) RecordRestore(ctx context.Context, restore ledger.Restore) error {
	decided := row{
		Tool: restore.Session.Tool, Session: restore.Session.ID,
		FromTool: restore.From.Tool, FromID: restore.From.ID,
		Project: restore.Project, Event: restore.Event, Source: restore.Source,
		Decision: restore.Decision, Reason: redact.Text(restore.Reason),
		Lines: restore.Lines, Bytes: restore.Bytes, SHA256: restore.SHA256,
		Time: db.Milliseconds(restore.Time),
	}
	return s.file.InTx(ctx, "record restore", func(tx *sql.Tx) error {
		decided.Reason = s.scrub(decided.Reason) // here, so that nothing is forgotten between this and the row
		return s.file.RowsIn(ctx, tx).Create(&decided).Error
	})
}

// Restores lists the decisions about a session, newest first; of all sessions
// for the zero key, without bound for a limit of 0.
func (s *Store) Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error) {
	query := s.file.Rows(ctx).Order("id DESC")
	if session != (ledger.SessionKey{}) {
		query = query.Where("tool = ? AND session = ?", session.Tool, session.ID)
	}
	if limit > 0 {
		query = query.Limit(limit)
	}
	var rows []row
	if err := query.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("list restores: %w", db.Damaged(err))
	}
	restores := make([]ledger.Restore, len(rows))
	for i, made := range rows {
		restores[i] = ledger.Restore{
			Session: ledger.SessionKey{Tool: made.Tool, ID: made.Session},
			From:    ledger.SessionKey{Tool: made.FromTool, ID: made.FromID},
			Project: made.Project, Event: made.Event, Source: made.Source,
			Decision: made.Decision, Reason: made.Reason,
			Lines: made.Lines, Bytes: made.Bytes, SHA256: made.SHA256,
			Time: db.Time(made.Time),
		}
	}
	return restores, nil
}
