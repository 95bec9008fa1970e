package sqlite

import (
	"context"
	"database/sql"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/projects"
)

// Project resolves an identity, and learns its paths. A project is known by
// any path it was ever seen at: a worktree that has been deleted since, or a
// directory that became a repository later, stays what it was.
func (l *Store) Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error) {
	var row projects.Row
	err := l.file.InTx(ctx, "project "+identity.Common, func(tx *sql.Tx) (err error) {
		row, err = projects.Resolve(l.file.RowsIn(ctx, tx), &projects.Known{}, identity, l.same)
		return err
	})
	if err != nil {
		return ledger.Project{}, err
	}
	return l.projectBy(ctx, row.ID)
}

// projectBy is the project with the number of its row.
func (l *Store) projectBy(ctx context.Context, id int64) (ledger.Project, error) {
	found, err := l.projects(ctx, "id = ?", id)
	if err != nil || len(found) == 0 {
		return ledger.Project{}, err
	}
	return found[0], nil
}

// Projects lists all projects by path.
func (l *Store) Projects(ctx context.Context) ([]ledger.Project, error) {
	return l.projects(ctx, "TRUE")
}

func (l *Store) projects(ctx context.Context, where string, args ...any) ([]ledger.Project, error) {
	return projects.List(l.file.Rows(ctx), where, args...)
}
