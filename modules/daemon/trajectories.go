package daemon

import (
	"context"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

// takeTrajectories keeps what `trail` recorded in a session's worktree since
// the session began. Of an agent under `carryover run` its wrapper does it, at
// the end of a run and under the agent's name.
func (d *Daemon) takeTrajectories(ctx context.Context, key ledger.SessionKey) {
	session, found, err := d.Log.Session(ctx, key)
	if err != nil || !found || session.Worktree == "" || session.Subagent || d.hub.busy(session.Project.ID) ||
		d.projectChoices(session.Worktree).Excluded(session.Worktree) {
		return
	}
	at := continuity.Place{Project: session.Project.ID, Worktree: session.Worktree}
	if err := d.Keeper().TakeTrajectories(ctx, at, continuity.Recorder{CLI: key.Tool}, session.First); err != nil && ctx.Err() == nil {
		d.Zap.Warn("trajectories not kept", zap.String("worktree", session.Worktree), zap.Error(err))
	}
}
