package view

import (
	"context"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Sessions are the sessions that were captured, with their events.
type Sessions interface {
	// ListSessions lists sessions, those with their last event newest first. A
	// directory that is no project has none.
	ListSessions(ctx context.Context, request SessionListRequest) (List[Session], error)
	// ShowSession is a session with its events.
	ShowSession(ctx context.Context, request SessionRequest) (SessionDetail, error)
	// Export hands every session to a writer, newest first, each followed by
	// its events, and says how many sessions there were.
	Export(ctx context.Context, request ExportRequest, write func(ExportLine) error) (int, error)
	// Decisions lists the decisions that sessions recorded, newest first.
	Decisions(ctx context.Context, request DecisionListRequest) (DecisionList, error)
}

// SessionListRequest asks for the sessions of a project, or of all.
type SessionListRequest struct {
	Directory string `query:"directory" jsonschema:"Only sessions of the project with this directory, or with this id."`
	Page
}

// SessionRequest names a session by its id, or the beginning of it.
type SessionRequest struct {
	Session string `path:"id" jsonschema:"The id of the session, or the beginning of it."`
	Line    int64  `query:"line" jsonschema:"Only the events of this line of its transcript."`
	Within  string `query:"within" jsonschema:"Refuse a session of another project than the one with this directory."`
}

// ExportRequest asks for one session, the sessions of a project, or all.
type ExportRequest struct {
	Directory string `query:"directory" jsonschema:"Only sessions of the project with this directory."`
	Session   string `query:"session" jsonschema:"Only this session: its id, or the beginning of it."`
}

// DecisionListRequest asks for the decisions in a project, or in all.
type DecisionListRequest struct {
	Directory string `query:"directory" jsonschema:"Only decisions of the project with this directory, or with this id."`
	Limit     int    `query:"limit" jsonschema:"At most so many, 50 when left out and 1,000 at once."`
}

// Session is a session.
type Session struct {
	Tool     string                `json:"tool"`
	Session  string                `json:"session"`
	Title    string                `json:"title,omitempty"`
	Project  string                `json:"project,omitempty"` // path, last known
	Worktree string                `json:"worktree,omitempty"`
	Cwd      string                `json:"cwd,omitempty"`
	Branch   string                `json:"branch,omitempty"`
	Version  string                `json:"version,omitempty"` // of the tool
	From     string                `json:"from,omitempty"`    // session it came from
	How      string                `json:"how,omitempty"`     // fork, clear, copy, subagent
	Headless bool                  `json:"headless"`
	Subagent bool                  `json:"subagent"`
	First    string                `json:"first,omitempty"`
	Last     string                `json:"last,omitempty"`
	Events   int                   `json:"events"`
	Path     string                `json:"path,omitempty"` // of the main transcript
	Usage    *transcript.UsageInfo `json:"usage,omitempty"`
}

// NewSession is the JSON form of a session.
func NewSession(s ledger.Session) Session {
	return Session{
		Tool: s.Tool, Session: s.ID, Title: s.Title, Project: s.Project.Path, Worktree: s.Worktree, Cwd: s.Cwd,
		Branch: s.Branch, Version: s.Version, From: s.From, How: s.How, Headless: s.Headless, Subagent: s.Subagent,
		First: Timestamp(s.First), Last: Timestamp(s.Last), Events: s.Events, Path: s.Path, Usage: s.Usage,
	}
}

// SessionName is a session's name and nothing of it.
type SessionName struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
}

// SessionDetail is a session with its events (`carryover show`).
type SessionDetail struct {
	Schema   int       `json:"schema"`
	Session  Session   `json:"session"`
	Events   []Event   `json:"events"`
	Restores []Restore `json:"restores"` // oldest first
}

// Event is an event with its place. Fields that do not belong to its kind are
// absent.
type Event struct {
	transcript.Event
	Time   string   `json:"time,omitempty"` // in place of the event's own
	Source Location `json:"source"`
}

// NewEvent is the JSON form of an event.
func NewEvent(e transcript.Located) Event {
	return Event{Event: e.Event, Time: Timestamp(e.Time), Source: LocationOf(e)}
}

// Location is where something is in a transcript.
type Location struct {
	Session string `json:"session,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int64  `json:"line,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
}

// LocationOf is where an event is.
func LocationOf(e transcript.Located) Location {
	return Location{Session: e.Session, Line: e.Ref.Line, Offset: e.Ref.Offset}
}

// Restore is what a session was given at a start or a compaction, and why.
type Restore struct {
	Tool     string       `json:"tool"`
	Session  string       `json:"session"`
	From     *SessionName `json:"from,omitempty"` // whose handoff it was
	Event    string       `json:"event"`          // hook event
	Source   string       `json:"source"`         // startup, resume, clear, compact, fork
	Decision string       `json:"decision"`       // full, seam, pointer, nothing
	Reason   string       `json:"reason"`
	Lines    int          `json:"lines"`
	Bytes    int          `json:"bytes"`
	Time     string       `json:"time,omitempty"`
}

// NewRestores are the JSON forms of decisions of the restore gate.
func NewRestores(list []ledger.Restore) []Restore {
	views := make([]Restore, 0, len(list))
	for _, r := range list {
		one := Restore{
			Tool: r.Session.Tool, Session: r.Session.ID, Event: r.Event, Source: r.Source,
			Decision: r.Decision, Reason: r.Reason, Lines: r.Lines, Bytes: r.Bytes, Time: Timestamp(r.Time),
		}
		if r.From.ID != "" {
			one.From = &SessionName{Tool: r.From.Tool, Session: r.From.ID}
		}
		views = append(views, one)
	}
	return views
}

// ExportLine is one line of an export.
type ExportLine struct {
	Type    string   `json:"type"` // session or event; over the socket also error
	Session *Session `json:"session,omitempty"`
	Event   *Event   `json:"event,omitempty"`
	Error   *Error   `json:"error,omitempty"` // why the export ends here
}

// DecisionList is a list of decisions, newest first.
type DecisionList struct {
	Schema int        `json:"schema"`
	Items  []Decision `json:"items"`
}

// Decision is a recorded decision with its place.
type Decision struct {
	transcript.Decision
	Tool    string   `json:"tool"`
	Session string   `json:"session"`
	Time    string   `json:"time,omitempty"`
	Source  Location `json:"source"`
}

// Timestamp writes a time as all JSON of Carryover does: RFC 3339, UTC,
// milliseconds. An unknown time is "".
func Timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}
