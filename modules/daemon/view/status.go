package view

import (
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Overview is the state as a whole.
type Overview interface {
	// Status is what is captured, connected and at work. Without a ledger it is
	// what is connected.
	Status(ctx context.Context) (Status, error)
	// Stats counts what is kept.
	Stats(ctx context.Context) (Stats, error)
	// Digest is a fingerprint of all events.
	Digest(ctx context.Context) (ledger.Digest, error)
}

// Status is the state of a home.
type Status struct {
	Schema   int            `json:"schema"`
	Home     string         `json:"home"`
	Daemon   *RunningDaemon `json:"daemon,omitempty"`
	Ledger   LedgerStatus   `json:"ledger"`
	Handoff  *HandoffStatus `json:"handoff,omitempty"` // the latest one
	Live     []LiveSession  `json:"live"`              // sessions at work, the newest first
	Tools    []ToolStatus   `json:"tools"`
	Restores []Restore      `json:"restores"` // newest first
	// Degraded says, one sentence each, what the daemon does without: file events,
	// its port, room on the disk.
	Degraded []string `json:"degraded,omitempty"`
	// Limits are sessions that stopped at a limit of their service in the last hours.
	Limits []LimitHit `json:"limits,omitempty"`
	// Damage says what became of the ledger when it was damaged; absent when it
	// was not, and once the file that was set aside is deleted.
	Damage string `json:"damage,omitempty"`
	// UnknownHooks counts the hooks whose tool or event no spec knows, since
	// the daemon's start; only a running daemon can say.
	UnknownHooks map[string]int `json:"unknown_hooks,omitempty"`
}

// LimitHit is a session that stopped at a limit of its service.
type LimitHit struct {
	Tool    string   `json:"tool"`
	Session string   `json:"session"`
	Project string   `json:"project,omitempty"`
	Time    string   `json:"time,omitempty"`
	Text    string   `json:"text"`              // what the tool said
	Command []string `json:"command,omitempty"` // goes on with another connected agent
}

// RunningDaemon is a running daemon.
type RunningDaemon struct {
	PID     int    `json:"pid"`
	Listen  string `json:"listen"`
	Socket  string `json:"socket"`
	Version string `json:"version"`
	Started string `json:"started,omitempty"`
}

// NewRunningDaemon is the JSON form of a daemon's state.
func NewRunningDaemon(r home.Running) *RunningDaemon {
	return &RunningDaemon{PID: r.PID, Listen: r.Listen, Socket: r.Socket, Version: r.Version, Started: Timestamp(r.Started)}
}

// LedgerStatus is what the ledger holds.
type LedgerStatus struct {
	Sessions int   `json:"sessions"`
	Events   int   `json:"events"`
	Sources  int   `json:"sources"`
	Bytes    int64 `json:"bytes"` // of the transcripts read
	// Kept are the transcripts of which the raw records are kept, and KeptBytes what
	// they take, compressed.
	Kept      int   `json:"kept"`
	KeptBytes int64 `json:"kept_bytes"`
	// Future is how many sessions are dated in the future; they count as of when
	// they were captured.
	Future int `json:"future,omitempty"`
}

// HandoffStatus is the newest session with something to hand over, of all.
type HandoffStatus struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Updated string `json:"updated,omitempty"`
}

// LiveSession is the context usage of a session at work, in tokens.
type LiveSession struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Model   string `json:"model,omitempty"`
	Context int64  `json:"context,omitempty"` // absent where the tool does not say
	Window  int64  `json:"window,omitempty"`  // absent where it is unknown
	Percent int    `json:"percent,omitempty"` // absent without a window
	Updated string `json:"updated,omitempty"`
}

// ToolStatus is one tool: what was read of it, and whether it is connected.
type ToolStatus struct {
	Tool     string           `json:"tool"`
	Wired    string           `json:"wired,omitempty"` // settings file
	Sources  int              `json:"sources"`
	Bytes    int64            `json:"bytes"`
	Records  int64            `json:"records"`
	Unknown  int64            `json:"unknown"`
	Types    map[string]int64 `json:"unknown_types,omitempty"`
	Members  map[string]int64 `json:"unknown_members,omitempty"` // members of known records that no spec knows, in the records that were compared
	Broken   int64            `json:"broken"`                    // records that are no complete JSON, or too long
	NoPrompt []string         `json:"no_prompt,omitempty"`       // transcripts in which no prompt was found
	Parked   []SourceError    `json:"parked"`
	LastSeen string           `json:"last_seen,omitempty"`
	Missing  []MissingFolder  `json:"missing,omitempty"`   // folders of transcripts that are gone
	Vanished []string         `json:"vanished,omitempty"`  // kinds of events that its newest version no longer gives; only a running daemon can say
	HooksOff []string         `json:"hooks_off,omitempty"` // why the hooks of a connected tool do not run, and where that is set
}

// MissingFolder is a folder that transcripts were read from and that is gone.
type MissingFolder struct {
	Path        string `json:"path"`
	Transcripts int    `json:"transcripts"`   // that are not read from elsewhere now
	Now         string `json:"now,omitempty"` // where the tool writes since, as its hooks say
}

// String is a folder in one sentence.
func (f MissingFolder) String() string {
	text := fmt.Sprintf("%s is gone; %d of its transcripts are in the ledger", f.Path, f.Transcripts)
	if f.Now != "" {
		text += ", new ones are in " + f.Now
	}
	return text
}

// Stats says what is kept, and what came of it.
type Stats struct {
	Schema   int   `json:"schema"`
	Sessions int   `json:"sessions"`
	Events   int   `json:"events"`
	Bytes    int64 `json:"bytes"` // of the ledger on disk
	// Kept are the transcripts of which the raw records are kept, and KeptBytes what of
	// Bytes they take.
	Kept      int           `json:"kept"`
	KeptBytes int64         `json:"kept_bytes"`
	Tools     []StatsLine   `json:"tools"`
	Projects  []StatsLine   `json:"projects"` // the busiest first
	Restores  RestoreCounts `json:"restores"`
}

// StatsLine counts the sessions of one tool or project.
type StatsLine struct {
	Name     string `json:"name"`
	Sessions int    `json:"sessions"`
	Events   int    `json:"events"`
	First    string `json:"first,omitempty"`
	Last     string `json:"last,omitempty"`
}

// RestoreCounts counts what sessions were given.
type RestoreCounts struct {
	Given   int `json:"given"`   // a handoff, or the diff after a compaction
	Nothing int `json:"nothing"` // the gate decided against it
}
