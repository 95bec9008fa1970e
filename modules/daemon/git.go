package daemon

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/repo"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// recordGit keeps where the repository stood at the end of a turn, as an event
// of the session: the handoff says it, and the next session start can tell what
// has moved since. It is read from git's files and bears the time of the
// session's last event, so that it changes nothing else.
func (p *Pipeline) recordGit(ctx context.Context, session ledger.Session) error {
	w, ok := repo.Find(session.Worktree)
	if !ok {
		return nil
	}
	branch, head := w.Head()
	if head == "" {
		return nil
	}
	event := transcript.Located{Event: transcript.Event{
		Tool: session.Tool, Session: session.ID, ID: "git:" + session.ID + ":" + branch + ":" + head,
		Kind: transcript.Git, Time: session.Last,
		Git: &transcript.GitInfo{Repository: w.Common, Branch: branch, Head: head},
	}}
	appended, err := p.Log.Append(ctx, ledger.Batch{
		Hook:   true,
		Source: ledger.Source{Tool: session.Tool, Path: "git:" + session.ID, Main: session.ID},
		Events: []transcript.Located{event},
	})
	if err == nil && appended.Events > 0 {
		p.sessions.recorded(session.SessionKey, event)
	}
	return err
}
