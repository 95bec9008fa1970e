package query

import (
	"context"
	"iter"

	"github.com/carryover-go/carryover/modules/daemon/session"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/compaction"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// CompactionDiff compares a session before its last compaction with the tool's
// summary of it: the session named, else the newest of the directory.
func (q *Service) CompactionDiff(ctx context.Context, request view.SessionSelector) (view.CompactionDiff, error) {
	session, err := q.Pick(ctx, request)
	if err != nil {
		return view.CompactionDiff{}, err
	}
	last, found, err := lastCompaction(ctx, q.store, session.SessionKey)
	if err == nil && !found {
		err = view.NotFound("the context of session " + session.ID + " was never compacted")
	}
	if err != nil {
		return view.CompactionDiff{}, err
	}
	return q.CompactionAt(ctx, session, last)
}

// CompactionAt compares a session before one of its compactions with the
// tool's summary of it.
func (q *Service) CompactionAt(ctx context.Context, of ledger.Session, at transcript.Located) (view.CompactionDiff, error) {
	var err error
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: of.Worktree}, until(ctx, q.store, of.SessionKey, at.ID, &err))
	if err != nil {
		return view.CompactionDiff{}, err
	}
	diff := view.CompactionDiff{
		Schema: 1, Tool: of.Tool, Session: of.ID, Project: of.Project.Path, Time: view.Timestamp(at.Time),
		Trigger: session.TriggerOf(at.Event), Readable: at.Text != "", Kept: []view.CompactionItem{}, Lost: []view.CompactionItem{},
	}
	for _, item := range compaction.Compare(state.Facts(), state.Trail(), at.Text) {
		out := view.CompactionItem{Kind: item.Kind, Text: item.Text, Source: view.Location{Line: item.Source.Line, Offset: item.Source.Offset}}
		if item.Kept {
			diff.Kept = append(diff.Kept, out)
		} else {
			diff.Lost = append(diff.Lost, out)
		}
	}
	return diff, nil
}

// lastCompaction is the last compaction of a session.
func lastCompaction(ctx context.Context, store Store, key ledger.SessionKey) (last transcript.Located, found bool, err error) {
	for event, err := range store.Events(ctx, key) {
		if err != nil {
			return last, false, err
		}
		if session.IsCompaction(event.Event) {
			last, found = event, true
		}
	}
	return last, found, nil
}

// until yields a session's events before one of them.
func until(ctx context.Context, store Store, key ledger.SessionKey, id string, failed *error) iter.Seq[transcript.Located] {
	return func(yield func(transcript.Located) bool) {
		for event, err := range store.Events(ctx, key) {
			if err != nil {
				*failed = err
				return
			}
			if event.ID == id || !yield(event) {
				return
			}
		}
	}
}
