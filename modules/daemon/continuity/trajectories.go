package continuity

import (
	"context"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// trajectoryDirs are where `trail` keeps its files, now and before.
var trajectoryDirs = []string{".agentworkforce/trajectories", ".trajectories"}

// maxTrajectory bounds a file, in bytes.
const maxTrajectory = 8 << 20

// TakeTrajectories keeps the trajectories of a worktree for an agent that works
// there: completed ones become handoffs, once, an active one its task. Those
// untouched since a time are left.
func (k *Keeper) TakeTrajectories(ctx context.Context, at Place, agent, cli string, since time.Time) error {
	root, err := os.OpenRoot(at.Worktree)
	if err != nil {
		return nil //nolint:nilerr // the worktree is gone
	}
	defer func() { _ = root.Close() }()
	for _, dir := range trajectoryDirs {
		err := fs.WalkDir(root.FS(), dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(name) != ".json" || path.Base(name) == "index.json" || ctx.Err() != nil {
				return nil //nolint:nilerr // what cannot be read says nothing
			}
			info, err := entry.Info()
			if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(since) || info.Size() > maxTrajectory {
				return nil //nolint:nilerr // as above
			}
			data, err := root.ReadFile(name)
			if err != nil {
				return nil //nolint:nilerr // as above
			}
			read, err := ParseTrajectory(data)
			if err != nil || !strings.HasPrefix(read.ID, "traj") {
				return nil //nolint:nilerr // another file
			}
			return k.takeTrajectory(ctx, at, agent, cli, read)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *Keeper) takeTrajectory(ctx context.Context, at Place, agent, cli string, read Trajectory) error {
	switch {
	case read.Active != nil:
		_, err := k.Save(ctx, at, Message{AgentName: agent, CLI: cli, Ledger: read.Active})
		return err
	case read.Handoff == nil:
		return nil
	}
	known, err := k.Log.Handoffs(ctx, ledger.HandoffFilter{ID: read.ID})
	if err != nil || len(known) > 0 {
		return err
	}
	read.Handoff.AgentName = agent
	if read.Handoff.CreatedAt.IsZero() {
		read.Handoff.CreatedAt = k.Now().UTC()
	}
	return k.Add(ctx, at, *read.Handoff)
}
