package maintain

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Dismiss records that a session's handoff is not wanted until that session
// continues, or takes that back. The session is the one named, else the one with
// the current handoff of the directory. view.ErrUnchanged when it is so already.
func (m *Service) Dismiss(ctx context.Context, request view.DismissRequest) (view.DismissResult, error) {
	from, err := m.query.Pick(ctx, view.SessionSelector{Directory: request.Directory, Session: request.Session})
	if err != nil {
		return view.DismissResult{}, err
	}
	result := view.DismissResult{Schema: 1, Session: view.NewSession(from)}
	is, err := session.Dismissed(ctx, m.store, from)
	if err != nil {
		return result, err
	}
	if is != request.Undo {
		return result, unchanged(from, is)
	}
	decision := ledger.Restore{
		Session: from.SessionKey, Project: from.Project.ID, Event: "dismiss", Source: "user",
		Decision: restore.Dismissed, Reason: "dismissed by the user with `carryover dismiss`", Time: m.now().UTC(),
	}
	if request.Undo {
		decision.Decision, decision.Reason = ledger.Wanted, "offered again by the user with `carryover dismiss --undo`"
	}
	if err := m.store.RecordRestore(ctx, decision); err != nil {
		return result, err
	}
	current, found, err := m.sessions.Standing(ctx, ledger.SessionFilter{Worktree: from.Worktree})
	if err != nil || !found || current.SessionKey != from.SessionKey {
		return result, err // the files hold the handoff of another session
	}
	if request.Undo {
		return result, m.publisher.Republish(ctx, from.SessionKey)
	}
	return result, m.publisher.Withdraw(from.Worktree)
}

// unchanged is the error of a handoff that is dismissed already, or is not.
func unchanged(of ledger.Session, dismissed bool) error {
	if dismissed {
		return &view.Error{
			Code: view.CodeUnchanged, Message: "the handoff of " + of.Tool + " session " + of.ID + " is dismissed already",
			Hint: "run `carryover dismiss --undo " + of.ID + "` to offer it again",
		}
	}
	return &view.Error{Code: view.CodeUnchanged, Message: "the handoff of " + of.Tool + " session " + of.ID + " is not dismissed"}
}
