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
	Compactions *Compactions
	Presence    Presence
	Answering   Locks[ledger.SessionKey] // one hook of a session is answered at a time
}

// New begins with nothing in memory.
func New(store Store) *Service {
	return &Service{Folds: NewFolds(store), Compactions: NewCompactions(store)}
}

// Stored takes in events that were just stored.
func (s *Service) Stored(ctx context.Context, source ledger.Source, events []transcript.Located) {
	s.Compactions.Stored(events)
	s.Folds.Stored(ctx, source, events)
}
