package agents

import (
	"context"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// ContextFull notifies the wrappers of a project that the context of a session
// there is full. Each sees by program, worktree and time whether it is its own.
func (a *Service) ContextFull(ctx context.Context, key ledger.SessionKey) {
	session, found, err := a.store.Session(ctx, key)
	if err != nil || !found {
		a.logger.Warn("wrappers not notified of a full context", zap.String("tool", key.Tool), zap.Error(err))
		return
	}
	spec, err := a.table.Lookup(key.Tool)
	if err != nil {
		return
	}
	for _, program := range spec.Detect.Binaries {
		a.wrappers.broadcast(session.Project.ID, view.AgentMessage{
			Type: view.MessageLimit, CLI: program, SessionID: key.ID, Directory: session.Worktree, Started: session.First.UnixMilli(),
		})
	}
}
