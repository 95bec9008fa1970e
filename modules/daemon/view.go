package daemon

import (
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The types here are what other programs read (docs/json-output.md): the
// domain's own may change, these only grow. Times are RFC 3339 in UTC with
// milliseconds, unknown ones absent.

// SessionView is a session.
type SessionView struct {
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

func viewSession(s ledger.Session) SessionView {
	return SessionView{
		Tool: s.Tool, Session: s.ID, Title: s.Title, Project: s.Project.Path, Worktree: s.Worktree, Cwd: s.Cwd,
		Branch: s.Branch, Version: s.Version, From: s.From, How: s.How, Headless: s.Headless, Subagent: s.Subagent,
		First: Stamp(s.First), Last: Stamp(s.Last), Events: s.Events, Path: s.Path, Usage: s.Usage,
	}
}

// EventView is an event with its place. Fields that do not belong to its kind
// are absent.
type EventView struct {
	transcript.Event
	Time   string `json:"time,omitempty"` // in place of the event's own
	Source Where  `json:"source"`
}

func viewEvent(e transcript.Located) EventView {
	return EventView{Event: e.Event, Time: Stamp(e.Time), Source: Where{Session: e.Session, Line: e.Ref.Line, Offset: e.Ref.Offset}}
}

// RestoreView is what a session was given at a start or a cut, and why.
type RestoreView struct {
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

// SessionName is a session's name and nothing of it.
type SessionName struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
}

func viewRestores(list []ledger.Restore) []RestoreView {
	views := make([]RestoreView, 0, len(list))
	for _, r := range list {
		view := RestoreView{
			Tool: r.Session.Tool, Session: r.Session.ID, Event: r.Event, Source: r.Source,
			Decision: r.Decision, Reason: r.Reason, Lines: r.Lines, Bytes: r.Bytes, Time: Stamp(r.Time),
		}
		if r.From.ID != "" {
			view.From = &SessionName{Tool: r.From.Tool, Session: r.From.ID}
		}
		views = append(views, view)
	}
	return views
}

// RunningView is a running daemon.
type RunningView struct {
	PID     int    `json:"pid"`
	Listen  string `json:"listen"`
	Socket  string `json:"socket"`
	Version string `json:"version"`
	Started string `json:"started,omitempty"`
}

// ViewRunning is the JSON form of a daemon's state.
func ViewRunning(r home.Running) *RunningView {
	return &RunningView{PID: r.PID, Listen: r.Listen, Socket: r.Socket, Version: r.Version, Started: Stamp(r.Started)}
}

// Stamp writes a time as all JSON of Carryover does: RFC 3339, UTC,
// milliseconds. An unknown time is "".
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}
