package query

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// HandoffHistory lists the handoffs of a directory's project, at most limit. A session
// without work of its own made none.
// CodeNotFound when no session was captured there.
func (q *Service) HandoffHistory(ctx context.Context, request view.HistoryRequest) (view.HandoffHistory, error) {
	limit := request.Limit
	history := view.HandoffHistory{Schema: 1, Items: []view.PastHandoff{}}
	project, ok, err := q.ProjectOf(ctx, request.Directory)
	if err != nil {
		return history, err
	}
	if !ok {
		return history, view.NotFound("no session was captured in " + request.Directory)
	}
	history.Project = project.Path
	given, err := q.GivenOn(ctx)
	if err != nil {
		return history, err
	}
	for filter := (ledger.SessionFilter{Project: project.ID, Limit: limit}); ; {
		list, err := q.store.Sessions(ctx, filter)
		if err != nil {
			return history, err
		}
		for _, session := range list {
			facts, err := q.sessions.Facts(ctx, session)
			if err != nil {
				return history, err
			}
			if facts.Worked {
				history.Items = append(history.Items, pastHandoff(session, facts, given[session.SessionKey]))
			}
			if limit > 0 && len(history.Items) == limit {
				return history, nil
			}
			filter.After = session.Mark()
		}
		if limit == 0 || len(list) < limit {
			return history, nil
		}
	}
}

func pastHandoff(session ledger.Session, facts distiller.Facts, given int) view.PastHandoff {
	item := view.PastHandoff{
		Tool: session.Tool, Session: session.ID, Time: view.Timestamp(session.Last), Branch: session.Branch, Title: session.Title, Given: given,
	}
	if facts.Task != nil {
		item.Task = facts.Task.Text
	}
	if facts.Next != nil {
		item.Next = facts.Next.Text
	}
	return item
}

// GivenOn counts how often each session's handoff began another session.
func (q *Service) GivenOn(ctx context.Context) (map[ledger.SessionKey]int, error) {
	list, err := q.store.Restores(ctx, ledger.SessionKey{}, 0)
	counts := map[ledger.SessionKey]int{}
	for _, r := range list {
		if r.Begins() {
			counts[r.From]++
		}
	}
	return counts, err
}

// Dismissed says whether the user dismissed the session's handoff and nothing
// was done in it since.
func (q *Service) Dismissed(ctx context.Context, of ledger.Session) (bool, error) {
	return session.Dismissed(ctx, q.store, of)
}
