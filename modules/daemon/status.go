package daemon

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Status is the state of a home (docs/json-output.md).
type Status struct {
	Schema   int              `json:"schema"`
	Home     string           `json:"home"`
	Daemon   *home.Running    `json:"daemon,omitempty"`
	Ledger   LedgerStatus     `json:"ledger"`
	Handoff  *HandoffStatus   `json:"handoff,omitempty"` // of the newest session
	Tools    []ToolStatus     `json:"tools"`
	Restores []ledger.Restore `json:"restores"` // newest first
}

// LedgerStatus is what the ledger holds.
type LedgerStatus struct {
	Sessions int   `json:"sessions"`
	Events   int   `json:"events"`
	Sources  int   `json:"sources"`
	Bytes    int64 `json:"bytes"` // of the transcripts read
}

// HandoffStatus is the newest session of all.
type HandoffStatus struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Updated string `json:"updated,omitempty"`
}

// ToolStatus is one tool: what was read of it, and whether it is wired.
type ToolStatus struct {
	Tool     string           `json:"tool"`
	Wired    string           `json:"wired,omitempty"` // settings file
	Sources  int              `json:"sources"`
	Bytes    int64            `json:"bytes"`
	Records  int64            `json:"records"`
	Unknown  int64            `json:"unknown"`
	Types    map[string]int64 `json:"unknown_types,omitempty"`
	Parked   []ImportError    `json:"parked"`
	LastSeen string           `json:"last_seen,omitempty"`
}

// Status looks at the ledger and the install record. Whether a daemon runs is
// for the caller to add.
func (p *Pipeline) Status(ctx context.Context) (Status, error) {
	status := Status{Schema: 1, Home: string(p.Home), Tools: []ToolStatus{}, Restores: []ledger.Restore{}}
	record, _, err := wiring.ReadRecord(p.Home)
	if err != nil {
		return status, err
	}
	coverage, err := p.Log.Coverage(ctx)
	if err != nil {
		return status, err
	}
	for _, spec := range p.Table.All() {
		tool, err := p.toolStatus(ctx, spec.Tool, coverage)
		if err != nil {
			return status, err
		}
		for _, file := range record.Files {
			if file.Tool == spec.Tool {
				tool.Wired = file.Path
			}
		}
		status.Ledger.Sources += tool.Sources
		status.Ledger.Bytes += tool.Bytes
		status.Tools = append(status.Tools, tool)
	}
	sessions, err := p.Log.Sessions(ctx, ledger.SessionFilter{})
	if err != nil {
		return status, err
	}
	status.Ledger.Sessions = len(sessions)
	for _, session := range sessions {
		status.Ledger.Events += session.Events
	}
	if len(sessions) > 0 {
		newest := sessions[0]
		status.Handoff = &HandoffStatus{Tool: newest.Tool, Session: newest.ID, Project: newest.Project.Path}
		if !newest.Last.IsZero() {
			status.Handoff.Updated = Stamp(newest.Last)
		}
	}
	restores, err := p.Log.Restores(ctx, ledger.SessionKey{}, 20)
	status.Restores = append(status.Restores, restores...)
	return status, err
}

func (p *Pipeline) toolStatus(ctx context.Context, tool string, coverage []ledger.ToolCoverage) (ToolStatus, error) {
	status := ToolStatus{Tool: tool, Parked: []ImportError{}}
	for _, c := range coverage {
		if c.Tool != tool {
			continue
		}
		status.Sources, status.Bytes, status.Records = c.Sources, c.Bytes, c.Coverage.Records
		status.Unknown, status.Types = c.Coverage.UnknownTotal(), unknownOf(c.Coverage)
	}
	sources, err := p.Log.Sources(ctx, tool)
	if err != nil {
		return status, err
	}
	for _, source := range sources {
		if source.Parked != "" {
			status.Parked = append(status.Parked, ImportError{Path: source.Path, Message: source.Parked})
		}
	}
	newest, found, err := p.newest(ctx, ledger.SessionFilter{Tool: tool})
	if found && !newest.Last.IsZero() {
		status.LastSeen = Stamp(newest.Last)
	}
	return status, err
}
