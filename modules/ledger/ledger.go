// Package ledger is what Carryover remembers: events of every agent's sessions
// in one append-only store. The types here import nothing but the transcript
// types; the database lives in ledger/sqlite.
package ledger

import (
	"context"
	"iter"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Log is the store. Reading methods may run beside the one writer.
type Log interface {
	// Append stores the batch's events and the source's new position in one
	// transaction. Appending the same batch again changes nothing.
	Append(ctx context.Context, batch Batch) (Appended, error)
	// Source returns what is known of a source, by tool and path; ok is false
	// for one never read.
	Source(ctx context.Context, tool, path string) (source Source, ok bool, err error)
	// Sources lists every source of a tool ("" for all).
	Sources(ctx context.Context, tool string) ([]Source, error)
	// Park marks a source that cannot be read, with the reason ("" unparks).
	Park(ctx context.Context, tool, path, reason string) error

	// Events yields a session's events in logical order: its main source by
	// offset, other sources at their parent call, else by time, else last.
	// Withdrawn events are included and flagged.
	Events(ctx context.Context, session SessionKey) iter.Seq2[transcript.Located, error]
	// Sessions lists sessions, newest last event first.
	Sessions(ctx context.Context, filter SessionFilter) ([]Session, error)
	// Session finds one session by key.
	Session(ctx context.Context, key SessionKey) (Session, bool, error)
	// Decisions lists stored decisions, in order.
	Decisions(ctx context.Context, session SessionKey) ([]transcript.Located, error)

	// Project resolves an identity and learns its path; Projects lists all.
	Project(ctx context.Context, identity ProjectIdentity) (Project, error)
	Projects(ctx context.Context) ([]Project, error)

	Search(ctx context.Context, query Query) (Results, error)
	Digest(ctx context.Context) (Digest, error)
	Coverage(ctx context.Context) ([]ToolCoverage, error)

	// RecordRestore keeps a decision of the restore gate; Restores lists them,
	// newest first.
	RecordRestore(ctx context.Context, restore Restore) error
	Restores(ctx context.Context, session SessionKey, limit int) ([]Restore, error)

	Close() error
}

// SessionKey names a session.
type SessionKey struct {
	Tool string `json:"tool"`
	ID   string `json:"session"`
}

// Batch is a run of events of one source.
type Batch struct {
	Source Source // identity, revision and the new position
	Events []transcript.Located
	// Replace empties the source's former occurrences first, in the same
	// transaction: the file was rewritten, or the reader has a new revision.
	Replace  bool
	Coverage transcript.Coverage
}

// Source is a file or database of a tool, and how far it has been read.
type Source struct {
	Tool     string
	Path     string
	Main     string // session the file belongs to, "" when unknown
	Subagent bool
	Device   uint64
	Inode    uint64
	Size     int64
	ModTime  time.Time // of the last stat; only compared, never shown as a time of an event
	Head     string    // hash of the first min(4 KiB, offset) bytes
	Tail     string    // hash of the last 4 KiB before the offset
	Revision int       // of the reader
	Position transcript.Position
	Parked   string // why it is not read; "" when it is
}

// Appended counts what a batch changed.
type Appended struct {
	Events      int // new rows
	Occurrences int // new places of known events included
	Replaced    int // bodies that gave way to another
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
	Subagents bool // include them
	Limit     int
	IDPrefix  string
}

// ProjectIdentity is what a directory says about its project: Common is the
// git common directory, or the directory itself outside git.
type ProjectIdentity struct {
	Common   string
	Worktree string // root of the worktree, or the directory itself
}

// Project is a repository, or a directory outside of any.
type Project struct {
	ID    string   `json:"id"`              // opaque
	Path  string   `json:"path"`            // last known
	Paths []string `json:"paths,omitempty"` // every path it was seen at
}

// Query is a search.
type Query struct {
	Text    string
	Project string // id
	Tool    string
	Kind    transcript.Kind
	Since   time.Time
	Limit   int // 20 when 0
}

// Results of a search. Total is counted to 2,000.
type Results struct {
	Hits  []Hit
	Total int
	Took  time.Duration
}

// Hit is one event that matched.
type Hit struct {
	Session SessionKey
	Time    time.Time
	Kind    transcript.Kind
	Snippet string
	ID      string
	Path    string
	Ref     transcript.Ref
}

// Digest is a fingerprint of all events that came from transcripts: the
// SHA-256 over (tool, id, body, withdrawn), sorted.
type Digest struct {
	Events int    `json:"events"`
	SHA256 string `json:"sha256"`
}

// ToolCoverage is the parse coverage of one tool.
type ToolCoverage struct {
	Tool     string
	Sources  int
	Bytes    int64
	Coverage transcript.Coverage
}

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
