package agents

import (
	"context"
	"path"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
)

// ReadMirrors takes back from the files of named agents in their projects what
// the ledger does not have, after it was damaged, and returns how many records
// it were.
func (a *Service) ReadMirrors(ctx context.Context) (taken int, err error) {
	projects, err := a.store.Projects(ctx)
	if err != nil {
		return 0, err
	}
	for _, project := range projects {
		worktrees := append(slices.Clone(project.Paths), project.Path)
		slices.Sort(worktrees)
		for _, worktree := range slices.Compact(worktrees) {
			n, err := a.readMirrors(ctx, continuity.AgentLocation{Project: project.ID, Worktree: worktree})
			taken += n
			if err != nil {
				return taken, err
			}
		}
	}
	before := time.Time{}
	if a.keeper.ArchiveAfter > 0 {
		before = a.now().Add(-a.keeper.ArchiveAfter)
	}
	return taken, a.store.ArchiveHandoffs(ctx, before, a.keeper.KeepHandoffs)
}

func (a *Service) readMirrors(ctx context.Context, at continuity.AgentLocation) (taken int, err error) {
	project, err := publish.Open(at.Worktree)
	if err != nil {
		return 0, nil //nolint:nilerr // there is nothing of ours
	}
	defer func() { _ = project.Close() }()
	for name, data := range project.AgentFiles() {
		added, err := a.takeMirror(ctx, at, name, data)
		if err != nil {
			return taken, err
		}
		if added {
			taken++
		}
	}
	return taken, nil
}

// takeMirror stores what a file says, if the ledger has nothing of it.
func (a *Service) takeMirror(ctx context.Context, at continuity.AgentLocation, name string, data []byte) (bool, error) {
	if path.Ext(name) == ".json" {
		notes, err := continuity.ParseLedger(name, data)
		if err != nil {
			a.logger.Warn("file of an agent not read", zap.Error(err))
			return false, nil
		}
		known, found, err := a.store.AgentLedger(ctx, at.Project, notes.AgentName)
		if err != nil || found && !known.UpdatedAt.Before(notes.UpdatedAt) {
			return false, err
		}
		return true, a.store.PutAgentLedger(ctx, at.Project, notes)
	}
	handoff, err := continuity.ParseHandoff(name, data)
	if err != nil {
		a.logger.Warn("file of an agent not read", zap.Error(err))
		return false, nil
	}
	known, err := a.store.Handoffs(ctx, ledger.HandoffFilter{ID: handoff.ID})
	if err != nil || len(known) > 0 {
		return false, err
	}
	return true, a.store.PutHandoff(ctx, at.Project, handoff)
}
