package events

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// fewEvents is how many a part holds when nobody says.
const fewEvents = 100

// EventPart returns a part of a session's events. The order is made of
// integers, as for all of them; bodies are read of those in the part alone.
func (r *Reader) EventPart(ctx context.Context, session ledger.SessionKey, window ledger.EventWindow) (ledger.EventPart, error) {
	part := ledger.EventPart{Kinds: map[transcript.Kind]int{}, Found: -1}
	fail := func(err error) (ledger.EventPart, error) {
		return part, fmt.Errorf("events of session %s: %w", session.ID, db.Damaged(err))
	}
	if window.Limit <= 0 {
		window.Limit = fewEvents
	}
	if quick, ok, err := r.plainPart(ctx, session, window); err != nil || ok {
		return quick, err
	}
	order, err := r.sessionOrder(ctx, session)
	if err != nil {
		return fail(err)
	}
	part.Total = len(order)
	var kinds map[int64]transcript.Kind
	if window.Count || window.Kind != "" {
		if kinds, err = r.kindsOf(ctx, session); err != nil {
			return fail(err)
		}
	}
	if window.Count {
		for _, at := range order {
			part.Kinds[kinds[at.event]]++
		}
	}
	if part.Found = indexOf(order, window.Around); part.Found >= 0 {
		window = ledger.EventWindow{From: max(0, part.Found-window.Limit/3), Limit: window.Limit}
	}
	var indexes []int
	indexes, part.Earlier, part.Later = chosen(order, kinds, window)
	standings := make([]standing, len(indexes))
	for i, index := range indexes {
		standings[i] = order[index]
	}
	if part.Events, err = r.indexed(ctx, session, standings, indexes); err != nil {
		return fail(err)
	}
	return part, nil
}

// indexed reads the events that stand at some places of a session.
func (r *Reader) indexed(ctx context.Context, session ledger.SessionKey, standings []standing, indexes []int) ([]ledger.IndexedEvent, error) {
	found, err := readEvents(ctx, r.pool, session, standings)
	if err != nil {
		return nil, err
	}
	var events []ledger.IndexedEvent
	for i, at := range standings {
		if event, there := found[at.event]; there {
			events = append(events, ledger.IndexedEvent{Located: at.located(event), Index: indexes[i]})
		}
	}
	return events, nil
}

// located is the event that stands at a place.
func (s standing) located(event *transcript.Event) transcript.Located {
	event.Subagent = s.subagent
	event.Withdrawn = event.Withdrawn || s.withdrawn
	return transcript.Located{Event: *event, Ref: s.ref}
}

// kindsOf reads the kinds of a session's events, without their bodies.
func (r *Reader) kindsOf(ctx context.Context, session ledger.SessionKey) (map[int64]transcript.Kind, error) {
	kinds := map[int64]transcript.Kind{}
	known := map[string]transcript.Kind{} // each name once in memory
	err := db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var event int64
		var name sql.RawBytes
		if err := rows.Scan(&event, &name); err != nil {
			return err
		}
		kind, ok := known[string(name)]
		if !ok {
			kind = transcript.Kind(name)
			known[string(kind)] = kind
		}
		kinds[event] = kind
		return nil
	}, `SELECT o.event, e.kind FROM session n JOIN tool t ON t.id = n.tool
		CROSS JOIN occurrence o ON o.source IN (`+r.file.SourcesOfSession()+`) AND +o.session = n.id CROSS JOIN event e ON e.key = o.event
		WHERE t.name = ? AND n.name = ?`, session.Tool, session.ID)
	return kinds, err
}

// chosen are the places of a window, in order, and whether more of the kind
// stand before and after them.
func chosen(order []standing, kinds map[int64]transcript.Kind, window ledger.EventWindow) (indexes []int, earlier, later bool) {
	wanted := func(index int) bool { return window.Kind == "" || kinds[order[index].event] == window.Kind }
	end := len(order)
	if window.Before > 0 && !window.Last {
		end = min(window.Before, end)
	}
	if window.Before > 0 || window.Last {
		for index := end - 1; index >= 0 && !earlier; index-- {
			if wanted(index) {
				if earlier = len(indexes) == window.Limit; !earlier {
					indexes = append(indexes, index)
				}
			}
		}
		slices.Reverse(indexes)
		for index := end; index < len(order) && !later; index++ {
			later = wanted(index)
		}
		return indexes, earlier, later
	}
	for index := max(0, window.From); index < len(order) && !later; index++ {
		if wanted(index) {
			if later = len(indexes) == window.Limit; !later {
				indexes = append(indexes, index)
			}
		}
	}
	for index := min(window.From, len(order)) - 1; index >= 0 && !earlier; index-- {
		earlier = wanted(index)
	}
	return indexes, earlier, later
}

// indexOf finds the event that stands at a line or an offset: in the session's
// own transcript before those of its subagents, and where nothing was read of
// that line, the event before it. -1 without one.
func indexOf(order []standing, ref transcript.Ref) int {
	if ref.Line == 0 && ref.Offset == 0 {
		return -1
	}
	best, rank := -1, 0
	for i, at := range order {
		if at.former {
			continue
		}
		r := nearness(at, ref)
		if r > rank || r == before && rank == before {
			best, rank = i, r
		}
	}
	return best
}

// How well a place is the one that is looked for; of those before it the last
// one is the best.
const (
	elsewhere = iota
	before
	sameLine
	exact
	exactOwn
)

func nearness(at standing, ref transcript.Ref) int {
	line, offset := ref.Line > 0 && at.ref.Line == ref.Line, at.ref.Offset == ref.Offset
	switch {
	case offset && (line || ref.Line == 0):
		if at.subagent {
			return exact
		}
		return exactOwn
	case line && ref.Offset == 0 && !at.subagent:
		return exactOwn
	case line && ref.Offset == 0:
		return sameLine
	case line && !at.subagent:
		return sameLine
	case !at.subagent && (ref.Line > 0 && at.ref.Line < ref.Line || ref.Line == 0 && at.ref.Offset < ref.Offset):
		return before
	}
	return elsewhere
}
