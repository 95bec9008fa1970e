package ledger

import (
	"strings"
	"time"
)

// Restore is one decision of the restore gate.
type Restore struct {
	Session  SessionKey `json:"session"`       // the session that started
	From     SessionKey `json:"from,omitzero"` // the session handed over
	Project  string     `json:"project,omitempty"`
	Event    string     `json:"event"`    // hook event
	Source   string     `json:"source"`   // startup, resume, clear, compact, fork
	Decision string     `json:"decision"` // full, seam, pointer, nothing
	Reason   string     `json:"reason"`
	Lines    int        `json:"lines"`
	Bytes    int        `json:"bytes"`
	SHA256   string     `json:"sha256,omitempty"`
	Time     time.Time  `json:"time"`
}

// Decisions about what a session is given. The gate (modules/daemon/restore) has
// the others.
const (
	RestoredFull   = "full"      // header and handoff
	RestoredOpened = "opened"    // nothing more: the handoff is the first thing in the session
	Dismissed      = "dismissed" // the user does not want this session's handoff offered
	Wanted         = "wanted"    // the user took the dismissal back
)

// What the user said about the thread of work that a session belongs to.
const (
	ThreadDone     = "thread done"
	ThreadDropped  = "thread dropped"
	ThreadApart    = "thread apart"    // the session begins a thread of its own
	ThreadJoined   = "thread joined"   // the session goes on with the thread of From
	ThreadUnmarked = "thread unmarked" // all that was said of the session is taken back
)

// ByUser says that the decision is no answer of the gate: the user made it, and nothing
// was delivered or refused.
func (r Restore) ByUser() bool {
	return r.Decision == Dismissed || r.Decision == Wanted || strings.HasPrefix(r.Decision, "thread ")
}

// Begins says whether a session began with the handoff of another one.
func (r Restore) Begins() bool {
	return (r.Decision == RestoredFull || r.Decision == RestoredOpened) && r.From != r.Session
}
