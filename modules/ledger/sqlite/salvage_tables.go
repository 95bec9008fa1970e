package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/agents"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/projects"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/wreck"
)

// projects makes the old ledger's projects known here, with every path they were
// seen at: a path may be gone, and what a person merged or moved is in no
// transcript.
func (s *salvaging) projects(ctx context.Context) error {
	s.uids = map[string]string{}
	return s.log.file.InTx(ctx, "projects", func(tx *sql.Tx) error {
		rows := s.log.file.RowsIn(ctx, tx)
		for _, id := range slices.Sorted(maps.Keys(s.old.Projects)) {
			if err := s.project(rows, s.old.Projects[id]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *salvaging) project(rows *gorm.DB, old ledger.Project) error {
	paths := slices.Clone(old.Paths)
	if old.Path != "" {
		paths = append(paths, old.Path)
	}
	if len(paths) == 0 {
		return nil
	}
	row := projects.Row{}
	err := rows.Where("uid = ? OR id IN (SELECT project FROM project_path WHERE path IN ?)", old.ID, paths).Order("id").Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		row = projects.Row{UID: old.ID, Path: old.Path}
		if row.UID == "" { // its row is lost, its paths are not
			row.UID = projects.UID(paths[0])
		}
		if row.Path == "" {
			row.Path = paths[0]
		}
		err = rows.Create(&row).Error
	}
	if err != nil {
		return err
	}
	if old.ID != "" {
		s.uids[old.ID] = row.UID
	}
	for _, path := range old.Paths {
		learnt := projects.PathRow{Path: path, Project: row.ID}
		if err := rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&learnt).Error; err != nil {
			return err
		}
	}
	return nil
}

// assignProjects gives sessions the projects they had: a directory that is
// gone no longer says to which repository it belonged.
func (s *salvaging) assignProjects(ctx context.Context) error {
	for _, number := range slices.Sorted(maps.Keys(s.old.Sessions)) {
		old := s.old.Sessions[number]
		uid, known := s.uids[s.old.Projects[old.Project].ID]
		if !known || old.Tool == "" {
			continue
		}
		err := s.log.file.InTx(ctx, "project of session "+old.ID, func(tx *sql.Tx) error {
			return s.assignProject(ctx, tx, old, uid)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *salvaging) assignProject(ctx context.Context, tx *sql.Tx, old wreck.Session, uid string) error {
	rows := s.log.file.RowsIn(ctx, tx)
	var session sessionRow
	var project projects.Row
	err := rows.Where("name = ? AND tool = (SELECT id FROM tool WHERE name = ?)", old.ID, old.Tool).Take(&session).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil
	}
	if err := errors.Join(err, rows.Where("uid = ?", uid).Take(&project).Error); err != nil {
		return err
	}
	if session.Project == project.ID || session.Cwd != old.Cwd {
		return nil
	}
	former := session.Project
	session.Project, session.Worktree = project.ID, old.Worktree
	run := &appending{log: s.log, transaction: &transaction{tx: tx}, tool: session.Tool}
	if err := run.moveToProject(ctx, &session, former); err != nil {
		return err
	}
	if err := run.write(ctx); err != nil {
		return err
	}
	return rows.Save(&session).Error
}

// restores copies the decisions of the restore gate, those of a person among
// them. One that is here already is the same.
func (s *salvaging) restores(ctx context.Context) error {
	s.done.LostRestores = s.old.LostRestores
	here, err := s.log.Restores(ctx, ledger.SessionKey{}, 0)
	if err != nil {
		return err
	}
	known := make(map[ledger.Restore]bool, len(here))
	for _, restore := range here {
		known[restore] = true
	}
	for _, restore := range s.old.Restores {
		if known[restore] || s.log.forgot.Session(restore.Session.Tool, restore.Session.ID) || s.log.forgot.Session(restore.From.Tool, restore.From.ID) {
			continue
		}
		restore.Reason = s.log.ScrubText(restore.Reason)
		if uid, moved := s.uids[restore.Project]; moved {
			restore.Project = uid
		}
		if err := s.log.RecordRestore(ctx, restore); err != nil {
			return err
		}
		s.done.Restores++
	}
	return nil
}

// agents copies what named agents left.
func (s *salvaging) agents(ctx context.Context) error {
	var rows []agents.Salvaged
	for _, old := range s.old.Agents {
		row := agents.Salvaged{
			Project: old.Project, Name: old.Name, Kind: old.Kind, UID: old.UID, Body: old.Body, Time: old.Time, Archived: old.Archived,
		}
		if uid, moved := s.uids[old.Project]; moved {
			row.Project = uid
		}
		rows = append(rows, row)
	}
	for _, lost := range s.old.Lost {
		if uid, moved := s.uids[lost.Project]; moved {
			lost.Project = uid
		}
		s.done.LostAgents = append(s.done.LostAgents, ledger.AgentRecord{Project: lost.Project, Agent: lost.Name, Kind: lost.Kind, ID: lost.UID})
	}
	stored, err := agents.Salvage(ctx, s.log.agentStore, rows)
	s.done.Agents = stored
	return err
}
