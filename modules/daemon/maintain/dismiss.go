package maintain

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Dismiss remembers that a session's handoff is wanted no longer: it is given
// to nobody until that session does something again. The session is one that
// is named, else the one whose handoff stands in the directory.
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
	stands, found, err := m.sessions.Standing(ctx, ledger.SessionFilter{Worktree: from.Worktree})
	if err != nil || !found || stands.SessionKey != from.SessionKey {
		return result, err // the files tell of another session
	}
	return result, m.publisher.Withdraw(from.Worktree)
}
