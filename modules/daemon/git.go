package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// lookAtHead notes that HEAD has moved, in the session whose hook came: a commit
// that prints nothing, or that somebody else made, is seen by nothing else. It
// costs the reading of two small files while HEAD stays.
func (p *Pipeline) lookAtHead(ctx context.Context, hook capture.Hook) error {
	if hook.Session == "" || hook.Agent != "" {
		return nil
	}
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	if w, ok := gitrepo.Find(hook.Cwd); !ok || p.sessions.headSeen(key, headOf(w)) {
		return nil
	}
	session, found, err := p.Log.Session(ctx, key)
	if err != nil || !found {
		return err
	}
	_, err = p.recordGit(ctx, session, session.First) // no tool with hooks has a clock without a zone
	return err
}

// withGit records where the repository stands, and returns the session and its
// facts as they are then.
func (p *Pipeline) withGit(ctx context.Context, session ledger.Session, facts distiller.Facts) (ledger.Session, distiller.Facts, error) {
	began := session.First
	if facts.Civil { // a clock without a zone may be off by hours
		began = time.Time{}
	}
	if recorded, err := p.recordGit(ctx, session, began); err != nil || !recorded {
		return session, facts, err
	}
	session, _, err := p.Log.Session(ctx, session.SessionKey) // one event longer
	if err == nil {
		facts, err = p.Distil(ctx, session)
	}
	return session, facts, err
}

// headOf is where HEAD stands, in a form to compare.
func headOf(w gitrepo.Worktree) string {
	branch, head := w.Head()
	return w.Root + " " + branch + " " + head
}

// maxHeads bounds the sessions whose last HEAD is remembered.
const maxHeads = 1024

// headSeen says whether HEAD stands where it last did in a session.
func (s *sessions) headSeen(key ledger.SessionKey, head string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heads[key] == head
}

func (s *sessions) noteHead(key ledger.SessionKey, head string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.heads) >= maxHeads {
		clear(s.heads) // the next look records nothing twice
	}
	s.heads[key] = head
}

// maxMade is how many commits of a session a git event names.
const maxMade = 12

// recordGit keeps where the repository stands at a hook or the end of a turn, as
// an event of the session: the handoff says it with the commits that were made,
// and the next session start can tell what has moved since. It is read from git's files and bears the time of the
// session's last event, so that it changes nothing else. began is when the session
// began, on this machine's clock.
func (p *Pipeline) recordGit(ctx context.Context, session ledger.Session, began time.Time) (recorded bool, err error) {
	w, ok := gitrepo.Find(session.Worktree)
	if !ok {
		return false, nil
	}
	branch, head := w.Head()
	if head == "" {
		return false, nil
	}
	if p.sessions.headSeen(session.SessionKey, headOf(w)) {
		return false, nil
	}
	made, id := madeIn(w, began), "git:"+session.ID+":"+branch+":"+head
	if moved := w.Moved(); moved > 0 { // HEAD may come back to where it was before
		id += fmt.Sprintf(":%d", moved)
	}
	event := transcript.Located{Event: transcript.Event{
		Tool: session.Tool, Session: session.ID, ID: id,
		Kind: transcript.Git, Time: session.Last,
		Git: &transcript.GitInfo{Repository: w.Common, Branch: branch, Head: head, Commits: made},
	}}
	appended, err := p.Log.Append(ctx, ledger.Batch{
		Hook:   true,
		Source: ledger.Source{Tool: session.Tool, Path: "git:" + session.ID, Main: session.ID},
		Events: []transcript.Located{event},
	})
	if err != nil {
		return false, err
	}
	p.sessions.noteHead(session.SessionKey, headOf(w))
	if appended.Events > 0 {
		p.sessions.recorded(session.SessionKey, event)
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
