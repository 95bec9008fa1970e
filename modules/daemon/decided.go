package daemon

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// DecisionView is a recorded decision with its place.
type DecisionView struct {
	transcript.Decision
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Time    string `json:"time,omitempty"`
	Source  Where  `json:"source"`
}

// sessionsWithDecisions is how many sessions of a project are asked for theirs.
const sessionsWithDecisions = 200

// DecisionsOf lists the decisions recorded in a directory's project, or in all
// ("") projects, newest first.
func (p *Pipeline) DecisionsOf(ctx context.Context, directory string, limit int) ([]DecisionView, error) {
	views := []DecisionView{}
	list, err := p.sessionsIn(ctx, directory, ledger.SessionFilter{Limit: sessionsWithDecisions})
	if err != nil {
		return views, err
	}
	for _, session := range list {
		made, err := p.Log.Decisions(ctx, session.SessionKey)
		if err != nil {
			return views, err
		}
		for _, event := range slices.Backward(made) {
			if len(views) == limit {
				return views, nil
			}
			if event.Decision != nil {
				views = append(views, DecisionView{
					Decision: *event.Decision, Tool: event.Tool, Session: event.Session, Time: Stamp(event.Time),
					Source: Where{Session: event.Session, Line: event.Ref.Line, Offset: event.Ref.Offset},
				})
			}
		}
	}
	return views, nil
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
