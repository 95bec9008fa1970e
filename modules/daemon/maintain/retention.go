package maintain

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Retain forgets, as `carryover forget` does, the sessions whose last event is
// older than `retention.sessions`, and says how many. They are not read again
// from a transcript that is still there. A session whose time is unknown stays.
func (m *Service) Retain(ctx context.Context) (int, error) {
	if m.keep == 0 {
		return 0, nil
	}
	list, err := m.store.Sessions(ctx, ledger.SessionFilter{Subagents: true})
	if err != nil {
		return 0, err
	}
	oldest := m.now().Add(-m.keep)
	var old []string
	for _, session := range list {
		if !session.Last.IsZero() && session.Last.Before(oldest) {
			old = append(old, session.ID)
		}
	}
	if len(old) == 0 {
		return 0, nil
	}
	result, err := m.Forget(ctx, view.ForgetRequest{Sessions: old}, nil)
	return result.Sessions, err
}
