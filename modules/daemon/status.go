package daemon

import (
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Status is the state of a home (docs/json-output.md).
type Status struct {
	Schema   int            `json:"schema"`
	Home     string         `json:"home"`
	Daemon   *RunningView   `json:"daemon,omitempty"`
	Ledger   LedgerStatus   `json:"ledger"`
	Handoff  *HandoffStatus `json:"handoff,omitempty"` // the one that stands
	Live     []LiveStatus   `json:"live"`              // sessions at work, the newest first
	Tools    []ToolStatus   `json:"tools"`
	Restores []RestoreView  `json:"restores"` // newest first
	// UnknownHooks counts the hooks whose tool or event no spec knows, since
	// the daemon's start; only a running daemon can say.
	UnknownHooks map[string]int `json:"unknown_hooks,omitempty"`
}

// LedgerStatus is what the ledger holds.
type LedgerStatus struct {
	Sessions int   `json:"sessions"`
	Events   int   `json:"events"`
	Sources  int   `json:"sources"`
	Bytes    int64 `json:"bytes"` // of the transcripts read
}

// HandoffStatus is the newest session with something to hand over, of all.
type HandoffStatus struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Updated string `json:"updated,omitempty"`
}

// ToolStatus is one tool: what was read of it, and whether it is wired.
type ToolStatus struct {
	Tool     string               `json:"tool"`
	Wired    string               `json:"wired,omitempty"` // settings file
	Sources  int                  `json:"sources"`
	Bytes    int64                `json:"bytes"`
	Records  int64                `json:"records"`
	Unknown  int64                `json:"unknown"`
	Types    map[string]int64     `json:"unknown_types,omitempty"`
	Broken   int64                `json:"broken"`              // records that are no complete JSON, or too long
	NoPrompt []string             `json:"no_prompt,omitempty"` // transcripts in which no prompt was found
	Parked   []ingest.ImportError `json:"parked"`
	LastSeen string               `json:"last_seen,omitempty"`
}

// Status looks at the ledger and the install record. A pipeline without a
// ledger says what is wired. Whether a daemon runs is for the caller to add.
func (p *Pipeline) Status(ctx context.Context) (Status, error) {
	status := Status{Schema: 1, Home: string(p.Home), Live: []LiveStatus{}, Tools: []ToolStatus{}, Restores: []RestoreView{}}
	record, _, err := wiring.ReadRecord(p.Home)
	if err != nil {
		return status, err
	}
	for _, spec := range p.Table.All() {
		tool := ToolStatus{Tool: spec.Tool, Parked: []ingest.ImportError{}}
		for _, file := range record.Files {
			if slices.Contains(file.Serves(), spec.Tool) {
				tool.Wired = file.Path
			}
		}
		status.Tools = append(status.Tools, tool)
	}
	if p.Log == nil {
		return status, nil
	}
	err = p.fillStatus(ctx, &status)
	return status, err
}

// fillStatus adds what the ledger says.
func (p *Pipeline) fillStatus(ctx context.Context, status *Status) error {
	coverage, err := p.Log.Coverage(ctx)
	if err != nil {
		return err
	}
	for i := range status.Tools {
		if err := p.fillTool(ctx, &status.Tools[i], coverage); err != nil {
			return err
		}
		status.Ledger.Sources += status.Tools[i].Sources
		status.Ledger.Bytes += status.Tools[i].Bytes
	}
	sessions, err := p.Log.Sessions(ctx, ledger.SessionFilter{})
	if err != nil {
		return err
	}
	status.Ledger.Sessions = len(sessions)
	status.Live = p.live(sessions)
	for _, session := range sessions {
		status.Ledger.Events += session.Events
	}
	stands, found, err := p.Standing(ctx, ledger.SessionFilter{})
	if err != nil {
		return err
	}
	if found {
		status.Handoff = &HandoffStatus{
			Tool: stands.Tool, Session: stands.ID, Project: stands.Project.Path, Updated: Stamp(stands.Last),
		}
	}
	restores, err := p.Log.Restores(ctx, ledger.SessionKey{}, 20)
	status.Restores = viewRestores(restores)
	return err
}

func (p *Pipeline) fillTool(ctx context.Context, status *ToolStatus, coverage []ledger.ToolCoverage) error {
	for _, c := range coverage {
		if c.Tool != status.Tool {
			continue
		}
		status.Sources, status.Bytes, status.Records = c.Sources, c.Bytes, c.Coverage.Records
		status.Unknown, status.Types = c.Coverage.UnknownTotal(), ingest.UnknownOf(c.Coverage)
		status.Broken = c.Coverage.Broken + c.Coverage.TooLong
		status.NoPrompt = c.NoPrompt
	}
	sources, err := p.Log.Sources(ctx, status.Tool)
	if err != nil {
		return err
	}
	for _, source := range sources {
		if source.Parked != "" {
			status.Parked = append(status.Parked, ingest.ImportError{Path: source.Path, Message: source.Parked})
		}
	}
	newest, found, err := p.newest(ctx, ledger.SessionFilter{Tool: status.Tool})
	if found {
		status.LastSeen = Stamp(newest.Last)
	}
	return err
}
