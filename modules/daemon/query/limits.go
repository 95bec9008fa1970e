package query

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// limits are the sessions that stopped at a limit of their service, the newest of each
// worktree, with the command that goes on elsewhere.
func limits(ctx context.Context, q *Service, connected []string) ([]view.LimitHit, error) {
	list, err := q.store.Sessions(ctx, ledger.SessionFilter{Since: q.now().Add(-session.LimitFor)})
	if err != nil {
		return nil, err
	}
	var hits []view.LimitHit
	newest := map[string]bool{}
	for _, one := range list {
		place := one.Worktree + "\x00" + one.Tool
		spec, err := q.table.Lookup(one.Tool)
		if one.Subagent || newest[place] || err != nil {
			continue
		}
		newest[place] = true
		text, hit, err := session.AtLimit(ctx, q.store, spec, one.SessionKey)
		if err != nil {
			return nil, err
		}
		if !hit {
			continue
		}
		found := view.LimitHit{Tool: one.Tool, Session: one.ID, Project: one.Worktree, Time: view.Timestamp(one.Last), Text: text}
		if tool := session.Elsewhere(q.table, connected, one.Tool); tool != "" {
			found.Command = []string{"carryover", "switch", tool, "--project", one.Worktree}
		}
		hits = append(hits, found)
	}
	return hits, nil
}
