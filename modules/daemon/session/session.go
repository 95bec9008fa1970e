// Package session holds in memory what is known of the sessions at work: their
// folded state, pending compactions, which are open, and one lock each. All of it
// can be made again from the ledger.
package session

import (
	"context"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Service is all that is held of sessions in memory.
type Service struct {
	*Folds
	*Standings
	Compactions *Compactions
	Presence    Presence
	Overlaps    Overlaps
	Answering   Locks[ledger.SessionKey] // one hook of a session is answered at a time
}

// New begins with nothing in memory.
func New(store Store) *Service {
	folds := NewFolds(store)
	return &Service{Folds: folds, Standings: NewStandings(store, folds), Compactions: NewCompactions(store)}
}

// HasEnded says that a session's tool told of its end, and that no hook of it came since.
func (s *Service) HasEnded(key ledger.SessionKey) bool { return s.Presence.HasEnded(key) }

// Stored takes in events that were just stored.
func (s *Service) Stored(ctx context.Context, source ledger.Source, events []transcript.Located) {
	s.Compactions.Stored(events)
	s.Overlaps.Stored(events)
	s.Standings.Stored(events)
	s.Folds.Stored(ctx, source, events)
}

// Reset forgets what is held of all sessions: the ledger has changed.
func (s *Service) Reset() {
	s.Folds.Reset()
	s.Standings.Reset()
}

// Drop forgets what is held of a session: its predecessor became known only now.
func (s *Service) Drop(key ledger.SessionKey) {
	s.Folds.Drop(key)
	s.Standings.Drop(key)
}
