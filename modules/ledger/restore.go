package ledger

import (
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

// Begins says whether a session began with the handoff of another one.
func (r Restore) Begins() bool {
	return (r.Decision == RestoredFull || r.Decision == RestoredOpened) && r.From != r.Session
}
