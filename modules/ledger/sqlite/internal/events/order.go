package events

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"sort"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// sessionOrder lists where the events of a session stand, in logical order,
// each event once. What stands in the main source goes by offset. The events of
// other sources hang at the call they belong to, else go by time, else last.
func (r *Reader) sessionOrder(ctx context.Context, session ledger.SessionKey) ([]standing, error) {
	sources, err := r.standings(ctx, session)
	if err != nil {
		return nil, err
	}
	main, others := distinct(sources)
	if len(others) == 0 {
		return main, nil
	}
	anchors, err := readAnchors(ctx, r.pool, main, slices.Concat(others...))
	if err != nil {
		return nil, err
	}
	return weave(main, singlesByTime(others, anchors), anchors), nil
}

// singlesByTime puts the sources of one record each, as tools write that keep a
// file for every event, behind the others and in the order of their times.
func singlesByTime(sources [][]standing, anchors map[int64]anchor) [][]standing {
	single := func(source []standing) int {
		if slices.ContainsFunc(source, func(at standing) bool { return at.ref.Offset != 0 }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(sources, func(a, b []standing) int {
		if order := cmp.Compare(single(a), single(b)); order != 0 || single(a) == 0 {
			return order
		}
		return cmp.Compare(anchors[a[0].event].time, anchors[b[0].event].time)
	})
	return sources
}

// standings lists the places of a session by source, the main one first: the
// file named for the session, not one of its subagents', not a hook's. Where no
// file is named for it (its own is gone, or it was copied into another's), the
// one that holds most of it takes its place.
func (r *Reader) standings(ctx context.Context, session ledger.SessionKey) ([][]standing, error) {
	known, err := r.holders(ctx, session)
	if err != nil {
		return nil, err
	}
	var sources [][]standing
	var ranks []sourceRank
	for _, source := range known {
		occurrences, err := source.occurrences(ctx, r.pool)
		if err != nil {
			return nil, err
		}
		if len(occurrences) > 0 {
			sources = append(sources, occurrences)
			ranks = append(ranks, source.sourceRank)
		}
	}
	order := make([]int, len(sources))
	for i := range order {
		order[i] = i
		ranks[i].events = len(sources[i])
	}
	slices.SortFunc(order, func(a, b int) int { return ranks[a].compare(ranks[b]) })
	sorted := make([][]standing, len(sources))
	for i, n := range order {
		sorted[i] = sources[n]
	}
	return sorted, nil
}

// holder is a source that holds events of a session.
type holder struct {
	id, session int64
	sourceRank
	rewrites bool
}

// holders lists the sources that hold events of a session. They are few, and a
// session's places are many.
func (r *Reader) holders(ctx context.Context, session ledger.SessionKey) (known []holder, err error) {
	err = db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		var source holder
		err := rows.Scan(&source.id, &source.session, &source.path, &source.named, &source.hook, &source.subagent, &source.rewrites)
		known = append(known, source)
		return err
	}, `SELECT s.id, n.id, s.path, s.main = n.name, s.hook, s.subagent, s.rewrites
		FROM session n JOIN tool t ON t.id = n.tool CROSS JOIN source s
		WHERE t.name = ? AND n.name = ? AND s.id IN (`+r.file.SourcesOfSession()+`)
		ORDER BY s.id`,
		session.Tool, session.ID)
	return known, err
}

// occurrences are those of a session in the source, in order. The source's part of
// the table is read in one go, which is twice as quick as looking each of the
// session's places up.
func (h holder) occurrences(ctx context.Context, pool *sql.DB) (list []standing, err error) {
	err = h.each(ctx, pool, -1, 0, func(at standing) { list = append(list, at) })
	return list, err
}

// each visits at most limit places of the session in the source, in order, after so
// many others; a negative limit bounds nothing.
func (h holder) each(ctx context.Context, pool *sql.DB, limit, after int, visit func(standing)) error {
	return db.Each(ctx, pool, func(rows *sql.Rows) error {
		at := standing{source: h.id}
		var block int64
		if err := rows.Scan(&at.event, &at.ref.Offset, &block, &at.ref.Length, &at.ref.Line, &at.subagent); err != nil {
			return err
		}
		at.ref.Block = int(block)
		if at.former = at.ref.Offset < 0; at.former {
			at.ref.Offset, at.ref.Block, at.withdrawn = 0, 0, h.rewrites
		}
		visit(at)
		return nil
	}, `SELECT event, offset, block, length, line, subagent FROM occurrence
		WHERE source = ? AND +session = ? ORDER BY offset, block LIMIT ? OFFSET ?`, h.id, h.session, limit, after)
}

// sourceRank is what decides which of a session's sources is the main one.
type sourceRank struct {
	path     string
	named    bool // for the session
	hook     bool
	subagent bool
	events   int
}

func (r sourceRank) compare(other sourceRank) int {
	return cmp.Or(
		falseFirst(r.hook, other.hook),
		falseFirst(r.subagent, other.subagent),
		-falseFirst(r.named, other.named),
		cmp.Compare(other.events, r.events),
		cmp.Compare(r.path, other.path),
	)
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// distinct leaves each event its first place: of two sources that of the
// earlier one, of two places in one source the earlier one, and a former place
// only when there is no other. Former places have no order of their own; they
// are given back as one more source.
func distinct(sources [][]standing) (main []standing, others [][]standing) {
	seen := map[int64]bool{}
	var former []standing
	for i, source := range sources {
		var own []standing
		for _, at := range source {
			switch {
			case at.former:
				former = append(former, at)
			case !seen[at.event]:
				seen[at.event] = true
				own = append(own, at)
			}
		}
		if i == 0 {
			main = own
		} else if len(own) > 0 {
			others = append(others, own)
		}
	}
	var gone []standing
	for _, at := range former {
		if !seen[at.event] {
			seen[at.event] = true
			gone = append(gone, at)
		}
	}
	slices.SortFunc(gone, func(a, b standing) int { return cmp.Compare(a.event, b.event) }) // by time
	if len(gone) > 0 {
		others = append(others, gone)
	}
	return main, others
}

// anchor is what of an event decides its place beside other sources.
type anchor struct {
	id     string
	parent string
	call   string
	time   int64
}

// readAnchors reads what decides the places of the events of other sources: all of
// those events, and of the main source the times, and the events and calls where one of
// the others names its parent.
func readAnchors(ctx context.Context, pool *sql.DB, main, others []standing) (map[int64]anchor, error) {
	anchors := make(map[int64]anchor, len(main)+len(others))
	if err := eachAnchor(ctx, pool, others, anchors); err != nil {
		return nil, err
	}
	for _, other := range anchors {
		if other.parent != "" {
			return anchors, eachAnchor(ctx, pool, main, anchors)
		}
	}
	return anchors, db.Chunks(keysOf(main), func(part []any) error {
		return db.Each(ctx, pool, func(rows *sql.Rows) error {
			var key int64
			var a anchor
			err := rows.Scan(&key, &a.time)
			anchors[key] = a
			return err
		}, "SELECT key, COALESCE(time, 0) FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
}

// eachAnchor adds the anchors of some events.
func eachAnchor(ctx context.Context, pool *sql.DB, of []standing, to map[int64]anchor) error {
	return eachBody(ctx, pool, "id, COALESCE(time, 0)", keysOf(of), func(rows *sql.Rows, one *bodies.Wanted) error {
		var a anchor
		err := rows.Scan(&one.Key, &one.Stored, &a.id, &a.time)
		to[one.Key] = a
		return err
	}, func(key int64, body []byte) error {
		a := to[key]
		err := a.read(body)
		to[key] = a
		return err
	})
}

func keysOf(part []standing) []int64 {
	keys := make([]int64, len(part))
	for i, at := range part {
		keys[i] = at.event
	}
	return keys
}

// read takes from a body what hangs it somewhere. Most bodies are neither a call nor
// have a parent, and are not decoded: inside of a text a quote is written otherwise.
func (a *anchor) read(body []byte) error {
	if !bytes.Contains(body, []byte(`"parent":`)) && !bytes.Contains(body, []byte(`"call":`)) {
		return nil
	}
	var event struct {
		Parent string `json:"parent"`
		Call   struct {
			ID string `json:"id"`
		} `json:"call"`
	}
	err := json.Unmarshal(body, &event)
	a.parent, a.call = event.Parent, event.Call.ID
	return err
}

// weave puts the other sources between the events of the main one.
func weave(main []standing, others [][]standing, anchors map[int64]anchor) []standing {
	at := map[string]int{} // event or call → index in main after which its children stand
	latest := make([]int64, len(main))
	var until int64
	for i, m := range main {
		a := anchors[m.event]
		at[a.id] = i
		if a.call != "" {
			at[a.call] = i
		}
		until = max(until, a.time)
		latest[i] = until
	}
	after := make([][]standing, len(main)+1) // [i+1]: what stands after main[i]
	for _, source := range others {
		hung, index := false, 0
		for _, s := range source {
			a := anchors[s.event]
			if parent, known := at[a.parent]; known && a.parent != "" {
				hung, index = true, parent+1
			} else if !hung {
				index = max(index, byTime(latest, a.time))
			}
			// Its own children stand where it stands.
			at[a.id] = index - 1
			if a.call != "" {
				at[a.call] = index - 1
			}
			after[index] = append(after[index], s)
		}
	}
	woven := append([]standing{}, after[0]...)
	for i, m := range main {
		woven = append(append(woven, m), after[i+1]...)
	}
	return woven
}

// byTime is the place before the first event that is later than a time; what
// has no time stands last. Latest holds, for each event of the main source, the
// latest time up to it: a stretch of older ones, as a compaction leaves behind,
// does not draw anything to it.
func byTime(latest []int64, ms int64) int {
	if ms == 0 {
		return len(latest)
	}
	return sort.Search(len(latest), func(i int) bool { return latest[i] > ms })
}
