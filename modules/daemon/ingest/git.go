package ingest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// gitRecorder stores where repositories stand.
type gitRecorder struct {
	store    ledger.Store
	sessions Sessions
	heads    heads
}

// RecordHead records that HEAD has moved, in the session whose hook came: a
// commit that prints nothing, or that somebody else made, shows nowhere else. It
// costs nothing while HEAD stays.
func (g *gitRecorder) RecordHead(ctx context.Context, key ledger.SessionKey, at gitrepo.Checkout) error {
	if !at.Found || g.heads.seen(key, headOf(at)) {
		return nil
	}
	session, found, err := g.store.Session(ctx, key)
	if err != nil || !found {
		return err
	}
	_, err = g.RecordGit(ctx, session, session.First) // no tool with hooks has a clock without a zone
	return err
}

// headOf is where HEAD stands, in a form to compare.
func headOf(c gitrepo.Checkout) string { return c.Root + " " + c.Branch + " " + c.Commit }

// maxHeads bounds the sessions whose last HEAD is remembered.
const maxHeads = 1024

// heads are where HEAD stood when it was last recorded for a session.
type heads struct {
	mu   sync.Mutex
	last map[ledger.SessionKey]string
}

func (h *heads) seen(key ledger.SessionKey, head string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last[key] == head
}

func (h *heads) note(key ledger.SessionKey, head string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil || len(h.last) >= maxHeads {
		h.last = map[ledger.SessionKey]string{} // the next look records nothing twice
	}
	h.last[key] = head
}

// ForgetHeads has every repository looked at again: what was recorded has
// changed.
func (g *gitRecorder) ForgetHeads() {
	g.heads.mu.Lock()
	defer g.heads.mu.Unlock()
	g.heads.last = nil
}

// maxMade is how many commits of a session a git event names.
const maxMade = 12

// RecordGit keeps where the repository stands at a hook or the end of a turn, as
// an event of the session: the handoff says it with the commits that were made,
// and the next session start can tell what has moved since. It is read from git's files and bears the time of the
// session's last event, so that it changes nothing else. began is when the session
// began, on this machine's clock.
func (g *gitRecorder) RecordGit(ctx context.Context, session ledger.Session, began time.Time) (recorded bool, err error) {
	at := gitrepo.Look(session.Worktree)
	if at.Commit == "" || g.heads.seen(session.SessionKey, headOf(at)) {
		return false, nil
	}
	made, id := madeIn(at.Worktree, began), "git:"+session.ID+":"+at.Branch+":"+at.Commit
	if moved := at.Moved(); moved > 0 { // HEAD may come back to where it was before
		id += fmt.Sprintf(":%d", moved)
	}
	event := transcript.Located{Event: transcript.Event{
		Tool: session.Tool, Session: session.ID, ID: id,
		Kind: transcript.Git, Time: session.Last,
		Git: &transcript.GitInfo{Repository: at.Common, Branch: at.Branch, Head: at.Commit, Commits: made},
	}}
	appended, err := g.store.Append(ctx, ledger.Batch{
		Hook:   true,
		Source: ledger.Source{Tool: session.Tool, Path: "git:" + session.ID, Main: session.ID},
		Events: []transcript.Located{event},
	})
	if err != nil {
		return false, err
	}
	g.heads.note(session.SessionKey, headOf(at))
	if appended.Events > 0 {
		g.sessions.Recorded(session.SessionKey, event)
	}
	return appended.Events > 0, nil
}

// madeIn are the commits made in a worktree since a session began, whoever made
// them, newest first.
func madeIn(w gitrepo.Worktree, began time.Time) []string {
	if began.IsZero() {
		return nil
	}
	made := w.MadeSince(began)
	return made[:min(len(made), maxMade)]
}
