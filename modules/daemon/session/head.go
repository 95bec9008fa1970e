package session

import (
	"cmp"
	"context"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// CompactionHead is the header of what a session is given after its context was
// compacted. While nobody says who asked for it, it counts as automatic, which
// asks nothing of anybody.
func (s *Service) CompactionHead(key ledger.SessionKey, facts distiller.Facts, trail distiller.Trail) string {
	announced := s.Compactions.LastAnnounced(key)
	trigger, waiting := announced.Trigger, waitingCall(trail)
	if last := trail.Compaction; last != nil && !announced.Pending {
		trigger, waiting = cmp.Or(last.Trigger, announced.Trigger), last.Waiting
	}
	return render.SeamHead(facts, render.Trigger(cmp.Or(trigger, string(render.Auto))), waiting)
}

// waitingCall is the last call when it has no result, "" otherwise.
func waitingCall(trail distiller.Trail) string {
	if n := len(trail.Calls); n > 0 && trail.Calls[n-1].Outcome == "" {
		return trail.Calls[n-1].What
	}
	return ""
}

// restores reads the decisions about sessions.
type restores interface {
	Restores(ctx context.Context, session ledger.SessionKey, limit int) ([]ledger.Restore, error)
}

// Dismissed says whether the user dismissed the session's handoff and nothing
// was done in it since. Of what the user said, the last holds.
func Dismissed(ctx context.Context, store restores, session ledger.Session) (bool, error) {
	list, err := store.Restores(ctx, session.SessionKey, 0)
	if err != nil {
		return false, err
	}
	for _, r := range list {
		switch r.Decision {
		case ledger.Wanted:
			return false, nil
		case ledger.Dismissed:
			return !session.Last.After(r.Time), nil
		}
	}
	return false, nil
}
