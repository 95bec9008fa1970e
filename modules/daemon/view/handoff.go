package view

import (
	"context"

	"github.com/carryover-go/carryover/modules/distiller/render"
)

// Handoffs are what sessions leave for the next ones.
type Handoffs interface {
	// Handoff is the handoff of a session.
	Handoff(ctx context.Context, request HandoffRequest) (render.Document, error)
	// HandoffHistory lists the handoffs of a project, newest first. A session
	// without work of its own left none.
	HandoffHistory(ctx context.Context, request HistoryRequest) (HandoffHistory, error)
	// SessionReport is the long form of a session.
	SessionReport(ctx context.Context, request SessionSelector) (SessionReport, error)
	// CompactionDiff compares a session before its last compaction with the
	// tool's summary of it.
	CompactionDiff(ctx context.Context, request SessionSelector) (CompactionDiff, error)
	// Dismiss remembers that a handoff is not wanted until its session goes on, or
	// takes that back. CodeUnchanged when it is so already.
	Dismiss(ctx context.Context, request DismissRequest) (DismissResult, error)
	// PrepareSwitch is the command that opens a tool with a project's handoff.
	// A tool that cannot be opened so is CodeInvalid.
	PrepareSwitch(ctx context.Context, request SwitchRequest) (SwitchCommand, error)
}

// SessionSelector names a session, or the directory whose latest one is meant.
type SessionSelector struct {
	Directory string `query:"directory" jsonschema:"The project whose latest session is meant."`
	Session   string `query:"session" jsonschema:"The id of a session, or the beginning of it; the directory then does not matter."`
}

// HandoffRequest asks for the handoff of a session.
type HandoffRequest struct {
	SessionSelector
	Last    bool   `query:"last" jsonschema:"The latest handoff of all projects."`
	Within  string `query:"within" jsonschema:"Refuse a session of another project than the one with this directory."`
	Mode    string `query:"mode" jsonschema:"How its header addresses the reader: ask, brief or silent; as configured when left out."`
	Shape   string `query:"for" jsonschema:"Whom it is for: agent, self, compaction or human; agent when left out."`
	Explain bool   `query:"explain" jsonschema:"Name the place of every line."`
}

// HistoryRequest asks for the handoffs of a project.
type HistoryRequest struct {
	Directory string `query:"directory,required" jsonschema:"The project."`
	Limit     int    `query:"limit" jsonschema:"At most so many; all when left out."`
}

// HandoffHistory are the handoffs of a project, newest first.
type HandoffHistory struct {
	Schema  int           `json:"schema"`
	Project string        `json:"project"`
	Items   []PastHandoff `json:"items"`
}

// PastHandoff is the handoff of one session. It is rebuilt when it is asked
// for: the same session gives the same one.
type PastHandoff struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Time    string `json:"time,omitempty"` // of the last event
	Branch  string `json:"branch,omitempty"`
	Title   string `json:"title,omitempty"`
	Task    string `json:"task,omitempty"`
	Next    string `json:"next,omitempty"`
	Given   int    `json:"given"` // how many sessions began with it
}

// SessionReport is the long form of a session.
type SessionReport struct {
	Schema  int    `json:"schema"`
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Updated string `json:"updated,omitempty"`
	Warning string `json:"warning,omitempty"`
	Text    string `json:"text"`
}

// CompactionDiff is what the summary of a session's last compaction kept and
// lost.
type CompactionDiff struct {
	Schema   int              `json:"schema"`
	Tool     string           `json:"tool"`
	Session  string           `json:"session"`
	Project  string           `json:"project,omitempty"`
	Time     string           `json:"time,omitempty"`
	Trigger  string           `json:"trigger,omitempty"`
	Readable bool             `json:"readable"` // the tool's summary can be read
	Kept     []CompactionItem `json:"kept"`
	Lost     []CompactionItem `json:"lost"`
}

// CompactionItem is one thing that the session held before the compaction.
type CompactionItem struct {
	Kind   string   `json:"kind"` // file, command, error, decision
	Text   string   `json:"text"`
	Source Location `json:"source"`
}

// DismissRequest names a session, or the directory whose latest one is meant.
type DismissRequest struct {
	Directory string `json:"directory,omitempty" jsonschema:"The project whose latest handoff is meant."`
	Session   string `json:"session,omitempty" jsonschema:"The id of a session, or the beginning of it."`
	Undo      bool   `json:"undo,omitempty" jsonschema:"Offer a dismissed handoff again."`
}

// Complete refuses a request that names nothing.
func (r DismissRequest) Complete() error {
	return complete(r.Directory != "" || r.Session != "", "directory or session")
}

// DismissResult is what `carryover dismiss` did.
type DismissResult struct {
	Schema  int     `json:"schema"`
	Session Session `json:"session"`
}

// SwitchRequest asks for the command that opens a tool with a project's
// handoff.
type SwitchRequest struct {
	Directory string `query:"directory,required" jsonschema:"The project."`
	Tool      string `query:"tool,required" jsonschema:"The tool to open, as codex or claude-code."`
	Session   string `query:"session" jsonschema:"The session to go on with, in its own worktree; the latest of the project when left out."`
}

// SwitchCommand is another agent's program, ready to be run with a handoff as
// its start.
type SwitchCommand struct {
	Schema    int         `json:"schema"`
	Tool      string      `json:"tool"`
	From      SessionName `json:"from"`
	Directory string      `json:"directory"` // to run it in
	Argv      []string    `json:"argv"`
	Env       []string    `json:"env"` // NAME=value, besides what is set
}

// complete refuses a body that lacks what a request needs.
func complete(is bool, needs string) error {
	if is {
		return nil
	}
	return Invalid("the body is not a JSON object with " + needs)
}
