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
	silent := render.Shared(render.Head(facts, render.Silent))
	if !p.onlyReads(session.Tool) {
		return silent, nil
	}
	trail, err := p.sessions.trail(ctx, session)
	if err != nil {
		return "", err
	}
	comes := p.sessions.announcedCut(session.SessionKey).comes
	if comes || trail.Cut != nil && !trail.Cut.Settled {
		head, err := p.seamHead(ctx, session, facts)
		return render.Shared(head), err
	}
	if usage, _, due := p.gauges.Due(session.SessionKey); due && p.Choices.Fullness.MidTurn {
		silent += render.SharedNotice(distiller.Usage{Context: usage.Context, Window: usage.Window, Model: usage.Model})
	}
	return silent, nil
}

// onlyReads says whether a tool has no hook of ours and hears of things from
// the file alone.
func (p *Pipeline) onlyReads(tool string) bool {
	spec, err := p.Table.Lookup(tool)
	return err == nil && !slices.ContainsFunc(spec.Hooks, func(hook toolspecs.Hook) bool { return hook.Wired })
}

// waitingCall is the last call when it has no result, "" otherwise.
func waitingCall(trail distiller.Trail) string {
	if n := len(trail.Calls); n > 0 && trail.Calls[n-1].Outcome == "" {
		return trail.Calls[n-1].What
	}
	return ""
}
