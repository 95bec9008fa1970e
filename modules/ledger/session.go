package ledger

import (
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SessionKey names a session.
type SessionKey struct {
	Tool string `json:"tool"`
	ID   string `json:"session"`
}

// Session is one conversation with one tool.
type Session struct {
	SessionKey
	Project  Project               `json:"project"`
	Cwd      string                `json:"cwd,omitempty"`      // where it was started
	Worktree string                `json:"worktree,omitempty"` // root of the worktree it runs in
	Branch   string                `json:"branch,omitempty"`   // last seen
	Title    string                `json:"title,omitempty"`
	From     string                `json:"from,omitempty"` // session this one came from (fork, clear, copy)
	How      string                `json:"how,omitempty"`
	Version  string                `json:"version,omitempty"` // of the tool
	Headless bool                  `json:"headless,omitempty"`
	Subagent bool                  `json:"subagent,omitempty"`
	First    time.Time             `json:"first,omitzero"`
	Last     time.Time             `json:"last,omitzero"`
	Events   int                   `json:"events"`
	Path     string                `json:"path,omitempty"`  // of the main source
	Usage    *transcript.UsageInfo `json:"usage,omitempty"` // the newest
}

// SessionFilter narrows Sessions; zero fields do not filter.
type SessionFilter struct {
	Tool      string
	Project   string // project id
	Worktree  string
	Since     time.Time
	Subagents bool        // include them
	After     SessionMark // behind which the list goes on
	Limit     int
	IDPrefix  string
}

// SessionMark is the place of a session in a list, which stays when the
// session goes on.
type SessionMark struct {
	Last time.Time `json:"last"`
	Tool string    `json:"tool"`
	ID   string    `json:"id"`
}

// Mark is the place of this session now.
func (s Session) Mark() SessionMark { return SessionMark{Last: s.Last, Tool: s.Tool, ID: s.ID} }
