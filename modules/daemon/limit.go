package daemon

import (
	"context"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// tellFull tells the wrappers of a project that a session there is full. Each
// sees by the program, the worktree and the time whether it is that of its run.
func (d *Daemon) tellFull(ctx context.Context, key ledger.SessionKey) {
	session, found, err := d.Log.Session(ctx, key)
	if err != nil || !found {
		d.Zap.Warn("wrappers not told of a full context", zap.String("tool", key.Tool), zap.Error(err))
		return
	}
	spec, err := d.Table.Lookup(key.Tool)
	if err != nil {
		return
	}
	for _, program := range spec.Detect.Binaries {
		d.hub.tell(session.Project.ID, view.AgentMessage{
			Type: view.MessageLimit, CLI: program, SessionID: key.ID, Directory: session.Worktree, Started: session.First.UnixMilli(),
		})
	}
}
