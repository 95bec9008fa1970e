package threads

import (
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// State is where a thread stands.
type State string

// The states of a thread.
const (
	Open     State = "open"     // an agent has something to do
	Waiting  State = "waiting"  // the user has: a question, an interruption
	Done     State = "done"     // nothing is left
	Dropped  State = "dropped"  // the user does not want it
	Reverted State = "reverted" // its commits were taken back
)

// Thread is a chain of sessions that worked on one thing.
type Thread struct {
	ID          string // of its first session
	State       State
	Said        bool     // the user said so
	Sessions    []Member // the one with the newest event last
	First, Last time.Time
}

// Member is a session of a thread; Why are the keys that joined it to those before.
type Member struct {
	Outline
	Why []string
}

// Task is what the thread is about: the newest request that says it.
func (t Thread) Task() string {
	for _, session := range slices.Backward(t.Sessions) {
		if session.Task != "" {
			return session.Task
		}
	}
	return ""
}

// Newest is the session that worked on it last.
func (t Thread) Newest() Member { return t.Sessions[len(t.Sessions)-1] }

// Files are the files that the thread changed, each once.
func (t Thread) Files() []string {
	var files []string
	for _, session := range t.Sessions {
		for _, file := range session.Files {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func threadOf(c *chain, in Input) Thread {
	slices.SortStableFunc(c.sessions, func(a, b Member) int { return a.Last.Compare(b.Last) })
	t := Thread{ID: c.sessions[0].ID, Sessions: c.sessions}
	t.First, t.Last = c.sessions[0].First, t.Newest().Last
	for _, session := range c.sessions {
		if session.First.Before(t.First) {
			t.First = session.First
		}
	}
	t.State = stateOf(t, in)
	if said, is := in.Marks.Set[t.Newest().SessionKey]; is {
		t.State, t.Said = said, true
	}
	return t
}

// stateOf derives where a thread stands from its newest session.
func stateOf(t Thread, in Input) State {
	newest := t.Newest()
	switch {
	case isReverted(t, in.Reverted):
		return Reverted
	case newest.Turn == "user":
		return Waiting
	case newest.Turn == "agent":
		return Open
	case newest.Todo:
		return Open
	}
	return Done
}

// isReverted says that all commits of a thread were taken back.
func isReverted(t Thread, reverted []string) bool {
	made := 0
	for _, session := range t.Sessions {
		for _, commit := range session.Commits {
			_, subject, found := strings.Cut(commit, " ")
			if !found || strings.HasPrefix(subject, revertPrefix) {
				continue
			}
			if made++; !slices.Contains(reverted, subject) {
				return false
			}
		}
	}
	return made > 0
}

// revertPrefix begins the subject of a commit that `git revert` makes.
const revertPrefix = `Revert "`

// RevertedIn are the subjects of the commits that commits took back, by the message
// of `git revert`.
func RevertedIn(commits []string) []string {
	var reverted []string
	for _, commit := range commits {
		_, subject, _ := strings.Cut(commit, " ")
		if of, is := strings.CutPrefix(subject, revertPrefix); is {
			reverted = append(reverted, strings.TrimSuffix(of, `"`))
		}
	}
	return reverted
}

// MarksOf reads what the user said of threads from decisions of the restore gate, the
// newest first. last is when each session had its last event: work done since takes
// back that a thread is done or dropped.
func MarksOf(decisions []ledger.Restore, last map[ledger.SessionKey]time.Time) Marks {
	marks := Marks{Apart: map[ledger.SessionKey]bool{}, Joined: map[ledger.SessionKey]ledger.SessionKey{}, Set: map[ledger.SessionKey]State{}}
	for _, d := range slices.Backward(decisions) { // of what was said, the last holds
		key := d.Session
		switch d.Decision {
		case ledger.ThreadApart:
			marks.Apart[key] = true
			delete(marks.Joined, key)
		case ledger.ThreadJoined:
			marks.Joined[key] = d.From
			delete(marks.Apart, key)
		case ledger.ThreadUnmarked:
			delete(marks.Apart, key)
			delete(marks.Joined, key)
			delete(marks.Set, key)
		case ledger.Dismissed, ledger.ThreadDropped:
			set(marks.Set, d, Dropped, last)
		case ledger.ThreadDone:
			set(marks.Set, d, Done, last)
		case ledger.Wanted:
			delete(marks.Set, key)
		}
	}
	return marks
}

func set(states map[ledger.SessionKey]State, d ledger.Restore, state State, last map[ledger.SessionKey]time.Time) {
	if !last[d.Session].After(d.Time) {
		states[d.Session] = state
	}
}
