package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/pages"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/wreck"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Salvage brings over from a ledger that was set aside whatever this one does
// not have: events that no transcript gave back, projects, decisions of the
// restore gate, what named agents left. Damaged rows are counted.
func (l *Store) Salvage(ctx context.Context, from string, read func(tool, path string) error) (ledger.Salvaged, error) {
	old, err := wreck.Open(from)
	if err != nil {
		return ledger.Salvaged{}, fmt.Errorf("salvage: %w", err)
	}
	defer func() { _ = old.Close() }()
	s := &salvaging{log: l, old: old, done: ledger.Salvaged{LostSessions: []ledger.SessionKey{}, LostAgents: []ledger.AgentRecord{}}}
	for _, step := range []func(context.Context) error{s.projects, func(ctx context.Context) error { return s.reread(ctx, read) }, s.events, s.originals, s.restores, s.agents} {
		if err := step(ctx); err != nil {
			return s.done, fmt.Errorf("salvage: %w", err)
		}
	}
	return s.done, nil
}

// salvaging is one Salvage.
type salvaging struct {
	log  *Store
	old  *wreck.Ledger
	done ledger.Salvaged
	lost map[int64]bool    // keys of events that are nowhere
	uids map[string]string // id of a project there → here
}

// reread has the sources read that this ledger does not know.
func (s *salvaging) reread(ctx context.Context, read func(tool, path string) error) error {
	for _, id := range slices.Sorted(maps.Keys(s.old.Sources)) {
		source := s.old.Sources[id]
		if source.Hook || source.Tool == "" {
			continue
		}
		if _, known, err := s.log.Source(ctx, source.Tool, source.Path); known || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		_ = read(source.Tool, source.Path) // one that is gone is why its events are copied
	}
	return nil
}

// events copies the events that are missing here.
func (s *salvaging) events(ctx context.Context) error {
	missing, err := s.old.Missing(ctx, s.log.file.Reader())
	if err != nil {
		return err
	}
	addresses, lost := missing.Found, missing.Lost
	s.done.AtLeast = !missing.Complete
	keys := slices.Sorted(maps.Keys(addresses))
	keys = append(keys, lost...)
	slices.Sort(keys)
	occurrences := s.old.Occurrences(keys)
	s.count(lost, occurrences)
	s.lost = map[int64]bool{}
	for key := range addresses {
		s.lost[key] = true // unless a place of it is found
	}
	for _, at := range occurrences {
		delete(s.lost, at.Event)
	}
	for _, key := range lost {
		s.lost[key] = true
	}
	for len(occurrences) > 0 {
		n := 1
		for n < len(occurrences) && n < db.Chunk && occurrences[n].Source == occurrences[0].Source {
			n++
		}
		if err := s.copySource(ctx, occurrences[:n], addresses); err != nil {
			return err
		}
		occurrences = occurrences[n:]
	}
	s.done.Lost = len(s.lost)
	return s.assignProjects(ctx)
}

// originals takes over the raw records of the sources of which none are kept here.
func (s *salvaging) originals(ctx context.Context) error {
	for id, source := range s.old.Sources {
		if len(s.old.Originals[id]) == 0 || s.log.forgot.Session(source.Tool, source.Main) {
			continue
		}
		if err := s.log.Adopt(ctx, source.Tool, source.Path, s.old.Original(id)); err != nil {
			return err
		}
	}
	return nil
}

// count says which sessions lost events.
func (s *salvaging) count(lost []int64, occurrences []wreck.Occurrence) {
	for _, at := range occurrences {
		if _, gone := slices.BinarySearch(lost, at.Event); !gone {
			continue
		}
		if key := s.session(at); key.ID != "" && !slices.Contains(s.done.LostSessions, key) {
			s.done.LostSessions = append(s.done.LostSessions, key)
		}
	}
}

// session is the session of an occurrence: where its row cannot be read, the
// one that its source is named for.
func (s *salvaging) session(at wreck.Occurrence) ledger.SessionKey {
	if session, known := s.old.Sessions[at.Session]; known {
		return session.SessionKey
	}
	source := s.old.Sources[at.Source]
	return ledger.SessionKey{Tool: source.Tool, ID: source.Main}
}

// copySource stores the missing events of a part of one source.
func (s *salvaging) copySource(ctx context.Context, occurrences []wreck.Occurrence, addresses map[int64]pages.Address) error {
	source, known := s.old.Sources[occurrences[0].Source]
	if !known {
		source.Path = fmt.Sprintf("(lost source %d)", occurrences[0].Source)
	}
	copies := map[string]*salvagedBatch{} // by tool: without a source only the event tells
	for _, at := range occurrences {
		address, wanted := addresses[at.Event]
		if !wanted {
			continue
		}
		row, readable := s.old.Event(address)
		tool := s.old.Tools[row.Tool]
		if copies[tool] == nil {
			batch, err := s.batch(ctx, source, tool)
			if err != nil {
				return err
			}
			copies[tool] = batch
		}
		if copies[tool].superseded && at.Offset >= 0 {
			continue // a newer reader has read the source and made other events of it
		}
		event, ok := s.located(row, at)
		if !readable || !ok || tool == "" {
			s.lost[at.Event] = true
			continue
		}
		copies[tool].Events = append(copies[tool].Events, event)
		copies[tool].revisions[event.ID] = row.Revision
	}
	for _, batch := range copies {
		appended, err := appendTo(ctx, s.log, batch.Batch, batch)
		if err != nil {
			return err
		}
		s.done.Events += appended.Events
	}
	return nil
}

// salvagedBatch is a batch of events that were stored before.
type salvagedBatch struct {
	ledger.Batch
	revisions  map[string]int // of the reader that made each event
	former     bool           // the source was read again and does not have them
	superseded bool           // by a newer reader
}

func (s *salvaging) batch(ctx context.Context, source wreck.Source, tool string) (*salvagedBatch, error) {
	batch := &salvagedBatch{Batch: ledger.Batch{Source: source.Source, Hook: source.Hook}, revisions: map[string]int{}}
	batch.Source.Tool = tool
	if source.Hook || tool == "" {
		return batch, nil
	}
	now, known, err := s.log.Source(ctx, tool, source.Path)
	batch.former = known && now.Position.Offset > 0
	batch.superseded = batch.former && now.Revision > source.Revision
	return batch, err
}

// located is an event where it stood; false when its body cannot be decoded or
// its session is not known.
func (s *salvaging) located(row wreck.Event, at wreck.Occurrence) (transcript.Located, bool) {
	located := transcript.Located{Ref: transcript.Ref{Offset: at.Offset, Block: int(at.Block), Length: at.Length, Line: at.Line}}
	if ledger.DecodeBody([]byte(row.Body), &located.Event) != nil {
		return located, false
	}
	if at.Offset < 0 {
		located.Ref = transcript.Ref{Offset: -1 - at.Offset} // a former place is the only one it has
	}
	located.ID, located.Withdrawn, located.Session, located.Subagent = row.ID, row.Withdrawn, s.session(at).ID, at.Subagent
	return located, located.Session != ""
}
