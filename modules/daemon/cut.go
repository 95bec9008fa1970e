package daemon

import (
	"context"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// lastCut is when the session's context was last cut, as its tool says; zero
// when it never was. A session is searched once; after that the events that
// come in tell it.
func (s *sessions) lastCut(ctx context.Context, key ledger.SessionKey) (time.Time, error) {
	s.mu.Lock()
	cut, known := s.cuts[key]
	s.mu.Unlock()
	if known {
		return cut, nil
	}
	for event, err := range s.log.Events(ctx, key) {
		if err != nil {
			return time.Time{}, err
		}
		if isCut(event.Event) {
			cut = event.Time
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, ok := s.cuts[key]; !ok || seen.Before(cut) {
		s.cuts[key] = cut
	}
	return s.cuts[key], nil
}

func isCut(event transcript.Event) bool {
	return event.Kind == transcript.Compacted && !event.Subagent && !event.Withdrawn
}
