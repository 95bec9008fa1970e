package continuity

import (
	"context"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// trajectoryDirs are where `trail` keeps its files, now and before.
var trajectoryDirs = []string{".agentworkforce/trajectories", ".trajectories"}

// maxTrajectory bounds a file, in bytes.
const maxTrajectory = 8 << 20

// Recorder is who records trajectories in a worktree.
type Recorder struct {
	Agent string // "" for the one that the file names
	CLI   string
}

// of fills in what a file says of who made it: "default" is how `trail` calls
// an agent that gave no name.
func (r Recorder) of(read Trajectory) Recorder {
	named := read.Agent != "default" && ledger.ValidAgent(read.Agent)
	if r.Agent == "" {
		if r.Agent = r.CLI; named {
			r.Agent = read.Agent
		}
	}
	if named {
		r.CLI = read.Agent
	}
	return r
}

// TakeTrajectories keeps the trajectories of a worktree for an agent that works
// there: completed ones become handoffs, once, an active one its task. Those
// untouched since a time are left, and those that git tracks: they came with the
// repository, from whoever wrote it, and not from the agent that works here. While git
// is writing files nobody knows which those are: all are left until the next time.
func (k *Keeper) TakeTrajectories(ctx context.Context, at AgentLocation, by Recorder, since time.Time) error {
	root, err := os.OpenRoot(at.Worktree)
	if err != nil {
		return nil //nolint:nilerr // the worktree is gone
	}
	defer func() { _ = root.Close() }()
	repository, inGit := gitrepo.Find(at.Worktree)
	for _, dir := range trajectoryDirs {
		names := written(ctx, root, dir, since)
		// In this order: git names in the index what it wrote before it gives up the lock.
		if len(names) == 0 || inGit && repository.IndexLocked() {
			continue
		}
		someTracked := inGit && repository.Tracks(dir)
		for _, name := range names {
			if someTracked && repository.Tracks(name) {
				continue
			}
			data, err := root.ReadFile(name)
			if err != nil {
				continue
			}
			read, err := ParseTrajectory(data)
			if err != nil || !strings.HasPrefix(read.ID, "traj") {
				continue // another file
			}
			if err := k.takeTrajectory(ctx, at, by.of(read), read); err != nil {
				return err
			}
		}
	}
	return nil
}

// written are the files of a folder that may be trajectories and were written since a
// time. What cannot be read says nothing.
func written(ctx context.Context, root *os.Root, dir string, since time.Time) (names []string) {
	_ = fs.WalkDir(root.FS(), dir, func(name string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return fs.SkipAll
		}
		if err != nil || entry.IsDir() || path.Ext(name) != ".json" || path.Base(name) == "index.json" {
			return nil //nolint:nilerr // as above
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && !info.ModTime().Before(since) && info.Size() <= maxTrajectory {
			names = append(names, name)
		}
		return nil
	})
	return names
}

func (k *Keeper) takeTrajectory(ctx context.Context, at AgentLocation, by Recorder, read Trajectory) error {
	switch {
	case read.Active != nil:
		return k.takeActive(ctx, at, by, *read.Active)
	case read.Handoff == nil:
		return nil
	}
	known, err := k.Log.Handoffs(ctx, ledger.HandoffFilter{ID: read.ID})
	if err != nil || len(known) > 0 {
		return err
	}
	read.Handoff.AgentName, read.Handoff.CLI = by.Agent, by.CLI
	if read.Handoff.CreatedAt.IsZero() {
		read.Handoff.CreatedAt = k.Now().UTC()
	}
	return k.Add(ctx, at, *read.Handoff)
}

func (k *Keeper) takeActive(ctx context.Context, at AgentLocation, by Recorder, active ledger.AgentLedger) error {
	known, _, err := k.Log.AgentLedger(ctx, at.Project, by.Agent)
	if err != nil || known.TrajectoryID == active.TrajectoryID && known.CurrentTask == active.CurrentTask && known.CurrentPhase == active.CurrentPhase && holds(known.KeyDecisions, active.KeyDecisions) {
		return err
	}
	_, err = k.Save(ctx, at, view.AgentMessage{AgentName: by.Agent, CLI: by.CLI, Ledger: &active})
	return err
}

// holds says whether all of some decisions are known.
func holds(known, decisions []ledger.AgentChose) bool {
	return len(union2(known, decisions)) == len(union2(known, nil))
}
