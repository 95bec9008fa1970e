package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Project resolves an identity, and learns its paths. A project is known by
// any path it was ever seen at: a worktree that has been deleted since, or a
// directory that became a repository later, stays what it was.
func (l *Store) Project(ctx context.Context, identity ledger.ProjectIdentity) (ledger.Project, error) {
	if l.write == nil {
		return ledger.Project{}, ledger.ErrReadOnly
	}
	var row projectRow
	err := l.write.WithContext(ctx).Transaction(func(db *gorm.DB) (err error) {
		row, err = resolveProject(db, identity)
		return err
	})
	if err != nil {
		return ledger.Project{}, fmt.Errorf("project %s: %w", identity.Common, damaged(err))
	}
	projects, err := l.projects(ctx, "id = ?", row.ID)
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
	db := l.read.WithContext(ctx)
	if err := db.Where(where, args...).Order("path, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("list projects: %w", damaged(err))
	}
	if err := db.Order("path").Find(&paths).Error; err != nil {
		return nil, fmt.Errorf("list paths of projects: %w", damaged(err))
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

func resolveProject(db *gorm.DB, identity ledger.ProjectIdentity) (projectRow, error) {
	row, err := knownProject(db, identity)
	if err != nil {
		return row, err
	}
	row.Path = shownPath(identity)
	if row.ID == 0 {
		row.UID = projectUID(identity.Common)
	}
	if err := db.Save(&row).Error; err != nil {
		return row, err
	}
	for _, path := range []string{identity.Common, identity.Worktree} {
		if path == "" {
			continue
		}
		learnt := projectPathRow{Path: path, Project: row.ID}
		if err := db.Clauses(clause.OnConflict{DoNothing: true}).Create(&learnt).Error; err != nil {
			return row, err
		}
	}
	return row, nil
}

// knownProject looks for a project by its common directory, then by its
// worktree; the row's ID is 0 when neither is known.
func knownProject(db *gorm.DB, identity ledger.ProjectIdentity) (row projectRow, err error) {
	for _, path := range []string{identity.Common, identity.Worktree} {
		err := db.Where("id = (SELECT project FROM project_path WHERE path = ?)", path).Take(&row).Error
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			return row, err
		}
	}
	return projectRow{}, nil
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
