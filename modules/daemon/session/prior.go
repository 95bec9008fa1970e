package session

import (
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// prior are the facts a session starts from: those of the session its tool
// says it came from, else, and where that one has no work to hand on, of the one
// whose handoff it was given. found is false when there was none.
func (s *Folds) prior(ctx context.Context, session ledger.Session, seen map[ledger.SessionKey]bool) (facts distiller.Facts, found bool, err error) {
	before, err := s.predecessors(ctx, session)
	if err != nil {
		return facts, false, err
	}
	for _, from := range before {
		if facts, found, err = s.priorFrom(ctx, session, from, seen); err != nil || found {
			return facts, found, err
		}
	}
	return distiller.Facts{}, false, nil
}

// priorFrom are the facts of one session that another one starts from; none of
// one that is being folded on top of it, or that has nothing to hand on.
func (s *Folds) priorFrom(ctx context.Context, session ledger.Session, from ledger.SessionKey, seen map[ledger.SessionKey]bool) (facts distiller.Facts, works bool, err error) {
	if seen[from] {
		return facts, false, nil
	}
	before, found, err := s.store.Session(ctx, from)
	if err != nil || !found {
		return facts, false, err
	}
	until := int64(0)
	if from.ID == session.From && from.Tool == session.Tool {
		if until, err = s.forkedAt(ctx, session); err != nil {
			return facts, false, err
		}
	}
	if facts, works, ok := s.inMemory(before, until, seen); ok {
		return facts, works, nil
	}
	made, err := s.replay(ctx, before, seen, until, func(transcript.Located) {})
	if err != nil {
		return facts, false, err
	}
	facts = made.state.Facts()
	return facts, facts.Worked || made.carries, nil
}

// forkedAt is the offset in its parent's transcript up to which a fork shares
// its history, 0 where the tool does not say.
func (s *Folds) forkedAt(ctx context.Context, session ledger.Session) (int64, error) {
	if session.How != "fork" {
		return 0, nil
	}
	for event, err := range s.store.Events(ctx, session.SessionKey) {
		if err != nil {
			return 0, err
		}
		if event.Start != nil && event.Start.From == session.From {
			return event.Start.FromOffset, nil
		}
	}
	return 0, nil
}

// inMemory are the facts of a session whose whole fold is in memory as the ledger
// has it, on top of none of the sessions that are being folded: what comes out
// must not depend on what is in memory.
func (s *Folds) inMemory(session ledger.Session, until int64, seen map[ledger.SessionKey]bool) (facts distiller.Facts, works, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.folds[session.SessionKey]
	if f == nil || f.unordered || until > 0 {
		return facts, false, false
	}
	for key := range seen {
		if f.on[key] {
			return facts, false, false
		}
	}
	for key := range f.on {
		seen[key] = true
	}
	facts = f.state.Facts()
	return facts, facts.Worked || f.carries, true
}

// predecessors are the sessions that one may start from, the likelier one first.
func (s *Folds) predecessors(ctx context.Context, session ledger.Session) ([]ledger.SessionKey, error) {
	var list []ledger.SessionKey
	if session.From != "" && !session.Subagent {
		list = append(list, ledger.SessionKey{Tool: session.Tool, ID: session.From})
	}
	given, err := s.store.Restores(ctx, session.SessionKey, 0)
	if err != nil {
		return nil, err
	}
	for _, restored := range slices.Backward(given) { // the first one given
		if restored.Begins() {
			return append(list, restored.From), nil
		}
	}
	return list, nil
}
