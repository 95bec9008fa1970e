package query

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Handoff renders the handoff of a session.
func (q *Service) Handoff(ctx context.Context, request view.HandoffRequest) (render.Document, error) {
	session, err := q.handoffSession(ctx, request)
	if err != nil {
		return render.Document{}, err
	}
	facts, err := q.sessions.Facts(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	mode := request.Mode
	if mode == "" {
		mode = q.projects.Of(session.Worktree).Resume
	}
	trail, err := q.sessions.Trail(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	text := render.Handoff(facts, render.Options{
		Mode: render.Mode(mode), Shape: render.Shape(request.Shape), Explain: request.Explain, Trail: trail,
	})
	return render.NewDocument(facts, text, session.Project.Path, session.Path, nil), nil
}

// handoffSession is the session whose handoff is asked for.
func (q *Service) handoffSession(ctx context.Context, request view.HandoffRequest) (ledger.Session, error) {
	switch {
	case request.Session != "":
		return q.sessionWithin(ctx, request.Session, request.Within)
	case request.Last:
		session, found, err := q.sessions.Standing(ctx, ledger.SessionFilter{})
		return orNothing(session, found, err, "no session with a request was captured yet")
	}
	return q.Pick(ctx, request.SessionSelector)
}
