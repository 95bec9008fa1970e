package maintain

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Dismiss records that a session's handoff is not wanted until that session
// continues. The session is the one named, else the one with the current handoff of
// the directory.
func (m *Service) Dismiss(ctx context.Context, request view.DismissRequest) (view.DismissResult, error) {
	from, err := m.query.Pick(ctx, view.SessionSelector(request))
	if err != nil {
		return view.DismissResult{}, err
	}
	err = m.store.RecordRestore(ctx, ledger.Restore{
		Session: from.SessionKey, Project: from.Project.ID, Event: "dismiss", Source: "user",
		Decision: restore.Dismissed, Reason: "dismissed by the user with `carryover dismiss`", Time: m.now().UTC(),
	})
	if err != nil {
		return view.DismissResult{}, err
	}
	result := view.DismissResult{Schema: 1, Session: view.NewSession(from)}
	current, found, err := m.sessions.Standing(ctx, ledger.SessionFilter{Worktree: from.Worktree})
	if err != nil || !found || current.SessionKey != from.SessionKey {
		return result, err // the files hold the handoff of another session
	}
	return result, m.publisher.Withdraw(from.Worktree)
}
