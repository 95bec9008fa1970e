package view

import "context"

// Threads are the threads of work over all projects and tools.
type Threads interface {
	// OpenWork lists threads of work, the one with the newest event first. A moment
	// that is none is CodeInvalid.
	OpenWork(ctx context.Context, request OpenWorkRequest) (OpenWork, error)
	// MarkThread keeps what the user says of a thread: that it is done or dropped, that
	// a session of it belongs elsewhere, or none of it any more.
	MarkThread(ctx context.Context, request MarkThreadRequest) (Done, error)
}

// OpenWorkRequest narrows a list of threads.
type OpenWorkRequest struct {
	Directory string `query:"directory" jsonschema:"Only threads of the project with this directory, or with this id."`
	Since     string `query:"since" jsonschema:"Only threads worked on since: an age (14d, 36h), a date (2006-01-02) or a day of the week (monday)."`
	All       bool   `query:"all" jsonschema:"Also those that are done, dropped or reverted."`
	Limit     int    `query:"limit" jsonschema:"At most so many threads."`
	Newest    int    `query:"newest" jsonschema:"Look at so many of the newest sessions only; 400 when left out."`
}

// What MarkThread can be told.
const (
	MarkDone   = "done"
	MarkDrop   = "drop"
	MarkSplit  = "split" // the session begins a thread of its own
	MarkJoin   = "join"  // the session goes on with the thread of another
	MarkUnmark = "unmark"
)

// MarkThreadRequest is what the user says of a thread.
type MarkThreadRequest struct {
	Session string `json:"session" jsonschema:"A session of the thread: its id, or the beginning of it."`
	Mark    string `json:"mark" jsonschema:"done, drop, split, join, or unmark."`
	To      string `json:"to,omitempty" jsonschema:"With join: a session of the other thread."`
}

// Complete refuses a mark that is none.
func (r MarkThreadRequest) Complete() error {
	switch r.Mark {
	case MarkDone, MarkDrop, MarkSplit, MarkUnmark:
		return complete(r.Session != "", "session")
	case MarkJoin:
		return complete(r.Session != "" && r.To != "", "session and to")
	}
	return Invalid("mark is done, drop, split, join or unmark")
}

// OpenWork is a list of threads of work.
type OpenWork struct {
	Schema int      `json:"schema"`
	Since  string   `json:"since,omitempty"` // the moment asked for
	Items  []Thread `json:"items"`
	// Counts are how many threads there are of each state, those left out too.
	Counts map[string]int `json:"counts"`
}

// Thread is a chain of sessions that worked on one thing.
type Thread struct {
	ID        string `json:"id"`    // of its first session
	State     string `json:"state"` // open, waiting, done, dropped, reverted
	Marked    bool   `json:"marked,omitempty"`
	Project   string `json:"project,omitempty"` // path, last known
	Directory string `json:"directory,omitempty"`
	Branch    string `json:"branch,omitempty"`
	Tool      string `json:"tool"`    // of the newest session
	Session   string `json:"session"` // the newest
	Task      string `json:"task,omitempty"`
	Outcome   string `json:"outcome,omitempty"`
	Turn      string `json:"turn,omitempty"` // user, agent, done
	TurnText  string `json:"turn_text,omitempty"`
	Next      string `json:"next,omitempty"`
	First     string `json:"first,omitempty"`
	Last      string `json:"last,omitempty"`
	// Uncommitted is how many files that the thread changed differ from what git has
	// staged or committed; absent where the worktree is not on this machine.
	Uncommitted *int            `json:"uncommitted,omitempty"`
	Files       []string        `json:"files,omitempty"`
	Sessions    []ThreadSession `json:"sessions"` // the newest last
}

// ThreadSession is a session of a thread.
type ThreadSession struct {
	Tool    string   `json:"tool"`
	Session string   `json:"session"`
	Task    string   `json:"task,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
	Commits []string `json:"commits,omitempty"`
	First   string   `json:"first,omitempty"`
	Last    string   `json:"last,omitempty"`
	Joined  []string `json:"joined,omitempty"` // the keys that join it to those before
}
