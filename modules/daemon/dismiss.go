package daemon

import (
	"context"
	"fmt"
	"os"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// dismissedText stands in the place of a handoff that was dismissed, for
// agents that read the file.
const dismissedText = transcript.Sentinel + " The user dismissed the handoff of the last session. There is nothing to take up.\n"

// Dismissal is what `carryover dismiss` did (docs/json-output.md).
type Dismissal struct {
	Schema  int         `json:"schema"`
	Session SessionView `json:"session"`
}

// Dismiss remembers that a session's handoff is wanted no longer: it is given
// to nobody until that session does something again. The session is one that
// is named, else the one whose handoff stands in the directory.
func (p *Pipeline) Dismiss(ctx context.Context, directory, session string) (Dismissal, error) {
	from, err := p.pick(ctx, directory, HandoffOptions{Session: session})
	if err != nil {
		return Dismissal{}, err
	}
	err = p.Log.RecordRestore(ctx, ledger.Restore{
		Session: from.SessionKey, Project: from.Project.ID, Event: "dismiss", Source: "user",
		Decision: restore.Dismissed, Reason: "dismissed by the user with `carryover dismiss`", Time: p.Now().UTC(),
	})
	if err != nil {
		return Dismissal{}, err
	}
	result := Dismissal{Schema: 1, Session: viewSession(from)}
	stands, found, err := p.Standing(ctx, ledger.SessionFilter{Worktree: from.Worktree})
	if err != nil || !found || stands.SessionKey != from.SessionKey {
		return result, err // the files tell of another session
	}
	return result, p.withdraw(from.Worktree)
}

// withdraw takes a dismissed handoff out of the places where agents find it.
// A project that was never written into stays so.
func (p *Pipeline) withdraw(worktree string) error {
	if err := publish.Forget(p.Home, worktree); err != nil {
		return err
	}
	if _, err := os.Stat(worktree); err != nil {
		return nil // the worktree is gone
	}
	project, err := publish.Open(worktree)
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	if err := project.Withdraw(dismissedText); err != nil {
		return fmt.Errorf("withdraw handoff: %w", err)
	}
	return nil
}

// Dismissed says whether the user dismissed the session's handoff and nothing
// was done in it since.
func (p *Pipeline) Dismissed(ctx context.Context, session ledger.Session) (bool, error) {
	list, err := p.Log.Restores(ctx, session.SessionKey, 0)
	if err != nil {
		return false, err
	}
	for _, r := range list {
		if r.Decision == restore.Dismissed && !session.Last.After(r.Time) {
			return true, nil
		}
	}
	return false, nil
}

// decisions are those of the gate about a session, newest first: what the user
// dismissed is none.
func (p *Pipeline) decisions(ctx context.Context, key ledger.SessionKey) ([]ledger.Restore, error) {
	list, err := p.Log.Restores(ctx, key, 0)
	kept := list[:0]
	for _, r := range list {
		if r.Decision != restore.Dismissed {
			kept = append(kept, r)
		}
	}
	return kept, err
}
