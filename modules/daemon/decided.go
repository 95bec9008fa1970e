package daemon

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// sessionsWithDecisions is how many sessions of a project are asked for theirs.
const sessionsWithDecisions = 200

// Decisions lists the decisions recorded in a directory's project, or in all
// ("") projects, newest first.
func (p *Pipeline) Decisions(ctx context.Context, request view.DecisionListRequest) (view.DecisionList, error) {
	decisions := view.DecisionList{Schema: 1, Items: []view.Decision{}}
	list, err := p.sessionsIn(ctx, request.Directory, ledger.SessionFilter{Limit: sessionsWithDecisions})
	if err != nil {
		return decisions, err
	}
	for _, session := range list {
		made, err := p.Log.Decisions(ctx, session.SessionKey)
		if err != nil {
			return decisions, err
		}
		for _, event := range slices.Backward(made) {
			if len(decisions.Items) == request.Limit {
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

// InProject says whether a session belongs to the project of a directory.
func (p *Pipeline) InProject(ctx context.Context, session ledger.Session, directory string) (bool, error) {
	abs, err := filepath.Abs(directory)
	if err != nil {
		return false, err
	}
	if identity, ok := gitrepo.Identity(abs); ok && identity.Worktree == session.Worktree {
		return true, nil
	}
	project, ok, err := p.projectOf(ctx, abs)
	return ok && project.ID == session.Project.ID, err
}
