package events

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sort"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// sessionOrder lists where the events of a session stand, in logical order,
// each event once. What stands in the main source goes by offset. The events of
// other sources hang at the call they belong to, else go by time, else last.
func sessionOrder(ctx context.Context, pool *sql.DB, session ledger.SessionKey) ([]standing, error) {
	sources, err := standings(ctx, pool, session)
	if err != nil {
		return nil, err
	}
	main, others := distinct(sources)
	if len(others) == 0 {
		return main, nil
	}
	anchors, err := readAnchors(ctx, pool, append(slices.Clone(main), slices.Concat(others...)...))
	if err != nil {
		return nil, err
	}
	return weave(main, others, anchors), nil
}

// standings lists the places of a session by source, the main one first: the
// file named for the session, not one of its subagents', not a hook's. Where no
// file is named for it (its own is gone, or it was copied into another's), the
// one that holds most of it takes its place.
func standings(ctx context.Context, pool *sql.DB, session ledger.SessionKey) ([][]standing, error) {
	known, err := holders(ctx, pool, session)
	if err != nil {
		return nil, err
	}
	var sources [][]standing
	var ranks []sourceRank
	for _, source := range known {
		places, err := source.places(ctx, pool)
		if err != nil {
			return nil, err
		}
		if len(places) > 0 {
			sources = append(sources, places)
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
func holders(ctx context.Context, pool *sql.DB, session ledger.SessionKey) (known []holder, err error) {
	err = db.Each(ctx, pool, func(rows *sql.Rows) error {
		var source holder
		err := rows.Scan(&source.id, &source.session, &source.path, &source.named, &source.hook, &source.subagent, &source.rewrites)
		known = append(known, source)
		return err
	}, `SELECT s.id, n.id, s.path, s.main = n.name, s.hook, s.subagent, s.rewrites
		FROM session n JOIN tool t ON t.id = n.tool CROSS JOIN source s
		WHERE t.name = ? AND n.name = ? AND s.id IN (SELECT DISTINCT source FROM occurrence WHERE session = n.id)
		ORDER BY s.id`,
		session.Tool, session.ID)
	return known, err
}

// places are those of a session in the source, in order. The source's part of
// the table is read in one go, which is twice as quick as looking each of the
// session's places up.
func (h holder) places(ctx context.Context, pool *sql.DB) (list []standing, err error) {
	err = db.Each(ctx, pool, func(rows *sql.Rows) error {
		at := standing{source: h.id}
		var block int64
		if err := rows.Scan(&at.event, &at.ref.Offset, &block, &at.ref.Length, &at.ref.Line, &at.subagent); err != nil {
			return err
		}
		at.ref.Block = int(block)
		if at.former = at.ref.Offset < 0; at.former {
			at.ref.Offset, at.ref.Block, at.withdrawn = 0, 0, h.rewrites
		}
		list = append(list, at)
		return nil
	}, `SELECT event, offset, block, length, line, subagent FROM occurrence
		WHERE source = ? AND +session = ? ORDER BY offset, block`, h.id, h.session)
	return list, err
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

func readAnchors(ctx context.Context, pool *sql.DB, all []standing) (map[int64]anchor, error) {
	keys := make([]int64, len(all))
	for i, at := range all {
		keys[i] = at.event
	}
	anchors := make(map[int64]anchor, len(all))
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, pool, func(rows *sql.Rows) error {
			var key int64
			var a anchor
			err := rows.Scan(&key, &a.id, &a.time, &a.parent, &a.call)
			anchors[key] = a
			return err
		}, `SELECT key, id, COALESCE(time, 0), COALESCE(json_extract(body, '$.parent'), ''),
			COALESCE(json_extract(body, '$.call.id'), '') FROM event WHERE key IN (`+db.Marks(len(part))+")", part...)
	})
	return anchors, err
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
		hung, place := false, 0
		for _, s := range source {
			a := anchors[s.event]
			if parent, known := at[a.parent]; known && a.parent != "" {
				hung, place = true, parent+1
			} else if !hung {
				place = max(place, byTime(latest, a.time))
			}
			// Its own children stand where it stands.
			at[a.id] = place - 1
			if a.call != "" {
				at[a.call] = place - 1
			}
			after[place] = append(after[place], s)
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
