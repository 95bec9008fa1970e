package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
)

// MoveProject lets a project be found at another path too, and shows it there.
func (l *Store) MoveProject(ctx context.Context, from, to string) (ledger.Project, error) {
	return l.changeProject(ctx, from, func(tx *sql.Tx, id int64) error {
		if other, err := projectAt(ctx, tx, to); err == nil && other != id {
			return fmt.Errorf("%s is a project of its own: merge the two", to)
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO project_path (path, project) VALUES (?, ?)", to, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE project SET path = ? WHERE id = ?", to, id)
		return err
	})
}

// MergeProjects gives the sessions and paths of one project to another, which
// stays what it is.
func (l *Store) MergeProjects(ctx context.Context, from, into string) (ledger.Project, error) {
	return l.changeProject(ctx, into, func(tx *sql.Tx, id int64) error {
		gone, err := projectAt(ctx, tx, from)
		if err != nil {
			return err
		}
		if gone == id {
			return fmt.Errorf("%s and %s are one project already", from, into)
		}
		run := &appending{log: l, transaction: &transaction{tx: tx}}
		if err := run.reindexProject(ctx, gone, id); err != nil {
			return err
		}
		for _, statement := range []string{
			"UPDATE session SET project = ? WHERE project = ?",
			"UPDATE project_path SET project = ? WHERE project = ?",
			"UPDATE OR REPLACE agent SET project = (SELECT uid FROM project WHERE id = ?) WHERE project = (SELECT uid FROM project WHERE id = ?)",
		} {
			if _, err := tx.ExecContext(ctx, statement, id, gone); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM project WHERE id = ?", gone)
		return err
	})
}

// changeProject runs a change of the project at a path and returns it as it is
// afterwards.
func (l *Store) changeProject(ctx context.Context, path string, change func(tx *sql.Tx, id int64) error) (ledger.Project, error) {
	var id int64
	err := l.file.InTx(ctx, "project "+path, func(tx *sql.Tx) (err error) {
		if id, err = projectAt(ctx, tx, path); err != nil {
			return err
		}
		return change(tx, id)
	})
	if err != nil {
		return ledger.Project{}, err
	}
	return l.projectBy(ctx, id)
}

// projectAt is the project that was seen at a path; ledger.ErrNoProject when
// none was.
func projectAt(ctx context.Context, tx *sql.Tx, path string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT project FROM project_path WHERE path = ? UNION SELECT id FROM project WHERE path = ? OR uid = ? LIMIT 1", path, path, path).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("%s: %w", path, ledger.ErrNoProject)
	}
	return id, err
}

// reindexProject indexes the events of one project under another.
func (a *appending) reindexProject(ctx context.Context, from, to int64) error {
	for {
		moved, err := a.records(ctx, "project = ? LIMIT ?", from, scrubbed)
		if err != nil || len(moved) == 0 {
			return err
		}
		for _, r := range moved {
			if err := a.moveEvent(ctx, r, to); err != nil {
				return err
			}
		}
		if err := a.write(ctx); err != nil {
			return err
		}
	}
}
