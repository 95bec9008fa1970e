package daemon

import (
	"cmp"
	"context"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// seamHead is the header of what a session is given after its context was cut.
// While nobody says who caused the cut it counts as automatic, which asks
// nothing of anybody.
func (p *Pipeline) seamHead(ctx context.Context, session ledger.Session, facts distiller.Facts) (string, error) {
	trail, err := p.sessions.trail(ctx, session)
	if err != nil {
		return "", err
	}
	told := p.sessions.announcedCut(session.SessionKey)
	trigger, waiting := told.trigger, waitingCall(trail)
	if cut := trail.Cut; cut != nil && !told.comes {
		trigger, waiting = cmp.Or(cut.Trigger, told.trigger), cut.Waiting
	}
	return render.SeamHead(facts, render.Trigger(cmp.Or(trigger, string(render.Auto))), waiting), nil
}

// waitingCall is the last call when it has no result, "" otherwise.
func waitingCall(trail distiller.Trail) string {
	if n := len(trail.Calls); n > 0 && trail.Calls[n-1].Outcome == "" {
		return trail.Calls[n-1].What
	}
	return ""
}
