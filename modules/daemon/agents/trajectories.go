package agents

import (
	"context"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

// TakeTrajectories keeps what `trail` recorded in a session's worktree since
// the session began. Of an agent under `carryover run` its wrapper does it, at
// the end of a run and under the agent's name.
func (a *Service) TakeTrajectories(ctx context.Context, key ledger.SessionKey) {
	session, found, err := a.store.Session(ctx, key)
	if err != nil || !found || session.Worktree == "" || session.Subagent || a.wrappers.isBusy(session.Project.ID) ||
		a.projects.Of(session.Worktree).Excluded(session.Worktree) {
		return
	}
	at := continuity.AgentLocation{Project: session.Project.ID, Worktree: session.Worktree}
	if err := a.keeper.TakeTrajectories(ctx, at, continuity.Recorder{CLI: key.Tool}, session.First); err != nil && ctx.Err() == nil {
		a.logger.Warn("trajectories not kept", zap.String("worktree", session.Worktree), zap.Error(err))
	}
}
