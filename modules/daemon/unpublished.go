package daemon

import (
	"context"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
)

// addUnpublished adds the sessions that a daemon before this one did not get
// to publish, or that `carryover import` read while there was none: of each
// worktree the newest, if its handoff is still of use and not the one that lies
// there.
func (d *Daemon) addUnpublished(ctx context.Context, due map[ledger.SessionKey]bool) {
	list, err := d.Log.Sessions(ctx, ledger.SessionFilter{Since: d.Now().Add(-d.Choices.StaleAfter)})
	if err != nil && ctx.Err() == nil {
		d.Zap.Warn("unpublished sessions not looked for", zap.Error(err))
	}
	seen := map[string]bool{}
	for _, session := range list {
		if session.Worktree == "" || seen[session.Worktree] {
			continue
		}
		last, ok := publish.LastFallback(d.Home, session.Worktree)
		if ok && last.Session != session.ID {
			value, err := d.sessions.worth(ctx, session)
			if err == nil && value != ownWork { // it hands on an older one
				continue
			}
		}
		seen[session.Worktree] = true
		if !ok || last.Session != session.ID || last.Events != session.Events {
			due[session.SessionKey] = true
		}
	}
}
