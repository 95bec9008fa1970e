package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Project resolves an identity, and learns its paths. A project is known by
// any path it was ever seen at: a worktree that has been deleted since, or a
// directory that became a repository later, stays what it was.
func (l *Store) Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error) {
	var row projectRow
	err := l.file.InTx(ctx, "project "+identity.Common, func(tx *sql.Tx) (err error) {
		row, err = resolveProject(l.file.RowsIn(ctx, tx), identity)
		return err
	})
	if err != nil {
		return ledger.Project{}, err
	}
	return l.projectBy(ctx, row.ID)
}

// projectBy is the project with the number of its row.
func (l *Store) projectBy(ctx context.Context, id int64) (ledger.Project, error) {
	projects, err := l.projects(ctx, "id = ?", id)
	if err != nil || len(projects) == 0 {
		return ledger.Project{}, err
	}
	return projects[0], nil
}

// Projects lists all projects by path.
func (l *Store) Projects(ctx context.Context) ([]ledger.Project, error) {
	return l.projects(ctx, "TRUE")
}

func (l *Store) projects(ctx context.Context, where string, args ...any) ([]ledger.Project, error) {
	var rows []projectRow
	var paths []projectPathRow
	file := l.file.Rows(ctx)
	if err := file.Where(where, args...).Order("path, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("list projects: %w", db.Damaged(err))
	}
	if err := file.Order("path").Find(&paths).Error; err != nil {
		return nil, fmt.Errorf("list paths of projects: %w", db.Damaged(err))
	}
	byProject := map[int64][]string{}
	for _, path := range paths {
		byProject[path.Project] = append(byProject[path.Project], path.Path)
	}
	projects := make([]ledger.Project, len(rows))
	for i, row := range rows {
		projects[i] = ledger.Project{ID: row.UID, Path: row.Path, Paths: byProject[row.ID]}
	}
	return projects, nil
}

func resolveProject(rows *gorm.DB, identity ledger.ProjectIdentity) (projectRow, error) {
	row, err := knownProject(rows, identity)
	if err != nil {
		return row, err
	}
	row.Path = shownPath(identity)
	if row.ID == 0 {
		row.UID = projectUID(identity.Common)
	}
	if err := rows.Save(&row).Error; err != nil {
		return row, err
	}
	for _, path := range []string{identity.Common, identity.Worktree} {
		if path == "" {
			continue
		}
		learnt := projectPathRow{Path: path, Project: row.ID}
		if err := rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&learnt).Error; err != nil {
			return row, err
		}
	}
	return row, nil
}

// knownProject looks for a project by its common directory, then by its
// worktree; the row's ID is 0 when neither is known.
func knownProject(rows *gorm.DB, identity ledger.ProjectIdentity) (row projectRow, err error) {
	for _, path := range []string{identity.Common, identity.Worktree} {
		err := rows.Where("id = (SELECT project FROM project_path WHERE path = ?)", path).Take(&row).Error
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			return row, err
		}
	}
	// One whose paths were lost with a damaged page is known by what it was made of.
	err = rows.Where("uid = ?", projectUID(identity.Common)).Limit(1).Find(&row).Error
	return row, err
}

// shownPath is what a person calls the project: the repository's folder, not
// the git directory in it, and not one of its linked worktrees.
func shownPath(identity ledger.ProjectIdentity) string {
	if filepath.Base(identity.Common) == ".git" {
		return filepath.Dir(identity.Common)
	}
	if identity.Worktree != "" {
		return identity.Worktree
	}
	return identity.Common
}

// projectUID is opaque but not random: the first path that is seen of a
// project gives the same id in every ledger.
func projectUID(common string) string {
	sum := sha256.Sum256([]byte(common))
	return hex.EncodeToString(sum[:8])
}
