package query

import (
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// sessionsWithDecisions is how many sessions of a project are asked for theirs.
const sessionsWithDecisions = 200

// Decisions lists the decisions recorded in a directory's project, or in all
// ("") projects, newest first.
func (q *Service) Decisions(ctx context.Context, request view.DecisionListRequest) (view.DecisionList, error) {
	decisions := view.DecisionList{Schema: 1, Items: []view.Decision{}}
	limit := view.Page{Limit: request.Limit}.Bounded().Limit
	list, err := q.SessionsIn(ctx, request.Directory, ledger.SessionFilter{Limit: sessionsWithDecisions})
	if err != nil {
		return decisions, err
	}
	for _, session := range list {
		made, err := q.store.Decisions(ctx, session.SessionKey)
		if err != nil {
			return decisions, err
		}
		for _, event := range slices.Backward(made) {
			if len(decisions.Items) == limit {
				return decisions, nil
			}
			if event.Decision != nil {
				decisions.Items = append(decisions.Items, view.Decision{
					Decision: *event.Decision, Tool: event.Tool, Session: event.Session, Time: view.Timestamp(event.Time),
					Source: view.LocationOf(event),
				})
			}
		}
	}
	return decisions, nil
}
