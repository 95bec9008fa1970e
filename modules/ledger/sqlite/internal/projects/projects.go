// Package projects knows which directories are one project.
package projects

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// Row is a row of the table project.
type Row struct {
	ID   int64
	UID  string `gorm:"column:uid"`
	Path string
}

// TableName is for gorm.
func (Row) TableName() string { return "project" }

// PathRow is a row of the table project_path.
type PathRow struct {
	Path    string `gorm:"primaryKey"`
	Project int64
}

// TableName is for gorm.
func (PathRow) TableName() string { return "project_path" }

// Same makes of a directory of which no path is known what says whether it is a known
// project all the same; nil says no.
type Same func(identity ledger.ProjectIdentity) func(known ledger.KnownProject) bool

// Known are the projects of a ledger within one transaction. They are listed once: an
// import would list them for each new one. The zero value has listed none.
type Known struct {
	list   []ledger.Project // as List gives them
	listed bool
}

func (k *Known) all(rows *gorm.DB) (list []ledger.Project, err error) {
	if !k.listed {
		k.list, err = List(rows, "TRUE")
		k.listed = err == nil
	}
	return k.list, err
}

// add puts a new project where List has it.
func (k *Known) add(row Row, paths []string) {
	if !k.listed {
		return
	}
	at, _ := slices.BinarySearchFunc(k.list, row.Path, func(known ledger.Project, path string) int {
		if known.Path <= path {
			return -1 // of one path the older one is first
		}
		return 1
	})
	slices.Sort(paths)
	k.list = slices.Insert(k.list, at, ledger.Project{ID: row.UID, Path: row.Path, Paths: slices.Compact(paths)})
}

// List reads the projects that a condition names, by path.
func List(file *gorm.DB, where string, args ...any) ([]ledger.Project, error) {
	var rows []Row
	var paths []PathRow
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

// Resolve finds the project of an identity, or makes it, and learns its paths.
func Resolve(rows *gorm.DB, known *Known, identity ledger.ProjectIdentity, same Same) (Row, error) {
	row, err := knownProject(rows, identity)
	if err == nil && row.ID == 0 {
		row, err = sameProject(rows, known, identity, same)
	}
	if err != nil {
		return row, err
	}
	var paths []string
	err = rows.Model(&PathRow{}).Where("project = ?", row.ID).Pluck("path", &paths).Error
	if err != nil {
		return row, err
	}
	isNew, former := row.ID == 0, row.Path
	if isNew || !identity.IsInside(row.Path, paths) {
		row.Path = identity.ShownPath()
	}
	if isNew {
		row.UID = UID(identity.Common)
	}
	if err := rows.Save(&row).Error; err != nil {
		return row, err
	}
	var learnt []string
	for _, path := range []string{identity.Common, identity.Worktree} {
		if path == "" {
			continue
		}
		done := rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&PathRow{Path: path, Project: row.ID})
		if done.Error != nil {
			return row, done.Error
		}
		if done.RowsAffected > 0 {
			learnt = append(learnt, path)
		}
	}
	switch {
	case isNew:
		known.add(row, learnt)
	case len(learnt) > 0 || row.Path != former:
		*known = Known{}
	}
	return row, nil
}

// knownProject looks for a project by its common directory, then by its
// worktree; the row's ID is 0 when neither is known.
func knownProject(rows *gorm.DB, identity ledger.ProjectIdentity) (row Row, err error) {
	for _, path := range []string{identity.Common, identity.Worktree} {
		err := rows.Where("id = (SELECT project FROM project_path WHERE path = ?)", path).Take(&row).Error
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			return row, err
		}
	}
	// One whose paths were lost with a damaged page is known by what it was made of.
	err = rows.Where("uid = ?", UID(identity.Common)).Limit(1).Find(&row).Error
	return row, err
}

// sameProject looks for a project that the disk shows to be the same one; the row's ID
// is 0 when there is none.
func sameProject(rows *gorm.DB, known *Known, identity ledger.ProjectIdentity, same Same) (row Row, err error) {
	if same == nil {
		return row, nil
	}
	all, err := known.all(rows)
	isSame := same(identity)
	for _, project := range all {
		hasSession := func(prefix string) bool {
			var n int64
			within := "project = (SELECT id FROM project WHERE uid = ?) AND substr(name, 1, ?) = ?"
			return rows.Table("session").Where(within, project.ID, len(prefix), prefix).Count(&n).Error == nil && n > 0
		}
		if isSame(ledger.KnownProject{Paths: project.Paths, HasSession: hasSession}) {
			return row, rows.Where("uid = ?", project.ID).Take(&row).Error
		}
	}
	return row, err
}

// UID is opaque but not random: the first path that is seen of a
// project gives the same id in every ledger.
func UID(common string) string {
	sum := sha256.Sum256([]byte(common))
	return hex.EncodeToString(sum[:8])
}
