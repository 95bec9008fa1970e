package daemon

import (
	"cmp"
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
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

// contextHead is the header of the file that a tool reads at every message: it
// must not be told each time to ask. From a cut until a turn has ended it is
// the only way in which such a tool hears of the cut. The file is read a moment
// after the summary is there, so it has to say so when that is still made.
func (p *Pipeline) contextHead(ctx context.Context, session ledger.Session, facts distiller.Facts) (string, error) {
	spec, err := p.Table.Lookup(session.Tool)
	if err != nil || slices.ContainsFunc(spec.Hooks, func(hook toolspecs.Hook) bool { return hook.Wired }) {
		return render.Head(facts, render.Silent), nil
	}
	trail, err := p.sessions.trail(ctx, session)
	if err != nil {
		return "", err
	}
	comes := p.sessions.announcedCut(session.SessionKey).comes
	if !comes && (trail.Cut == nil || trail.Cut.Settled) {
		return render.Head(facts, render.Silent), nil
	}
	return p.seamHead(ctx, session, facts)
}

// waitingCall is the last call when it has no result, "" otherwise.
func waitingCall(trail distiller.Trail) string {
	if n := len(trail.Calls); n > 0 && trail.Calls[n-1].Outcome == "" {
		return trail.Calls[n-1].What
	}
	return ""
}
