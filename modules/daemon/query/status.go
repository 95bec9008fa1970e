package query

import (
	"cmp"
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/damage"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// Status looks at the ledger and the install record. Without a ledger it
// says what is connected. Whether a daemon runs is for the caller to add.
func (q *Service) Status(ctx context.Context) (view.Status, error) {
	status := view.Status{Schema: 1, Home: string(q.home), Live: []view.LiveSession{}, Tools: []view.ToolStatus{}, Restores: []view.Restore{}, UnknownHooks: q.unknownHooks(), Degraded: q.degraded()}
	if damaged, found := damage.Read(q.home); found {
		status.Damage = damaged.String()
	}
	record, _, err := wiring.ReadRecord(q.home)
	if err != nil { // what is connected is not known, all else is
		status.Degraded, err = append(status.Degraded, err.Error()), nil
	}
	specs := slices.Clone(q.table.All())
	slices.SortStableFunc(specs, func(a, b *toolspecs.Spec) int { return cmp.Compare(last(a), last(b)) })
	for _, spec := range specs {
		tool := view.ToolStatus{Tool: spec.Tool, Parked: []view.SourceError{}}
		for _, file := range record.Files {
			if slices.Contains(file.Serves(), spec.Tool) {
				tool.Wired = file.Path
			}
		}
		if tool.Wired != "" {
			tool.HooksOff = wiring.HooksOff(spec)
		}
		status.Tools = append(status.Tools, tool)
	}
	if q.store != nil {
		err = q.fillStatus(ctx, &status)
	}
	status.Tools = slices.DeleteFunc(status.Tools, func(tool view.ToolStatus) bool {
		spec, known := q.table.Lookup(tool.Tool)
		return known == nil && spec.IsProtocol() && tool.Sources == 0 // stands for agents nobody has used
	})
	return status, err
}

// last puts what stands for agents of no spec behind all others.
func last(spec *toolspecs.Spec) int {
	if spec.IsProtocol() {
		return 1
	}
	return 0
}

// fillStatus adds what the ledger says.
func (q *Service) fillStatus(ctx context.Context, status *view.Status) error {
	coverage, err := q.store.Coverage(ctx)
	if err != nil {
		return err
	}
	for i := range status.Tools {
		if err := q.fillTool(ctx, &status.Tools[i], coverage); err != nil {
			return err
		}
		status.Ledger.Sources += status.Tools[i].Sources
		status.Ledger.Bytes += status.Tools[i].Bytes
	}
	sessions, err := q.store.Sessions(ctx, ledger.SessionFilter{Since: q.now().Add(-liveFor)})
	if err != nil {
		return err
	}
	status.Live = live(sessions, q.now(), q.windows, q.sessions.HasEnded)
	stats, err := q.store.Stats(ctx)
	if err != nil {
		return err
	}
	status.Ledger.Sessions, status.Ledger.Events, status.Ledger.Future = stats.Own, stats.OwnEvents, stats.Future
	status.Ledger.Kept, status.Ledger.KeptBytes = stats.Kept, stats.KeptBytes
	current, found, err := q.sessions.Standing(ctx, ledger.SessionFilter{})
	if err != nil {
		return err
	}
	if found {
		status.Handoff = &view.HandoffStatus{
			Tool: current.Tool, Session: current.ID, Project: current.Project.Path, Updated: view.Timestamp(current.Last),
		}
	}
	var connected []string
	for _, tool := range status.Tools {
		if tool.Wired != "" {
			connected = append(connected, tool.Tool)
		}
	}
	if status.Limits, err = limits(ctx, q, connected); err != nil {
		return err
	}
	restores, err := q.store.Restores(ctx, ledger.SessionKey{}, 20)
	status.Restores = view.NewRestores(restores)
	return err
}

func (q *Service) fillTool(ctx context.Context, status *view.ToolStatus, coverage []ledger.ToolCoverage) error {
	for _, c := range coverage {
		if c.Tool != status.Tool {
			continue
		}
		status.Sources, status.Bytes, status.Records = c.Sources, c.Bytes, c.Coverage.Records
		status.Unknown, status.Types = c.Coverage.UnknownTotal(), ingest.UnknownOf(c.Coverage)
		status.Members = c.Coverage.UnknownMembers()
		status.Broken = c.Coverage.Broken + c.Coverage.TooLong
		status.NoPrompt, status.Vanished = c.NoPrompt, q.vanished()[c.Tool]
		for _, source := range c.Parked {
			status.Parked = append(status.Parked, view.SourceError{Path: source.Path, Message: source.Reason})
		}
	}
	if status.Sources > 0 {
		missing, err := MissingFolders(ctx, q.table, q.store, status.Tool)
		if err != nil {
			return err
		}
		status.Missing = missing
	}
	newest, found, err := newest(ctx, q.store, ledger.SessionFilter{Tool: status.Tool})
	if found {
		status.LastSeen = view.Timestamp(newest.Last)
	}
	return err
}
