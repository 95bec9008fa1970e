package fulltext

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Considered is how many hits are ranked, the newest: ranking all that a
// common word has among a million events takes up to 650 ms.
const Considered = 1500

const defaultLimit = 20

// Other is a hit that is no event, and is ranked beside the events.
type Other interface {
	// Text is what the words of a query are counted in.
	Text() string
	// Hit is how it is shown, with the terms of the query in its snippet.
	Hit(terms []ledger.Term) ledger.Hit
}

// Others finds hits that are no events, by a number above 0.
type Others func(ctx context.Context, query ledger.Query, terms []ledger.Term) (map[int64]Other, error)

// Search finds the events that meet every term of a query, and what else does.
func Search(ctx context.Context, file *db.File, query ledger.Query, find Others) (ledger.Results, error) {
	begun := time.Now()
	run := search{pool: file.Reader(), query: query, terms: ledger.Terms(query.Text), newest: (*lookup).newest}
	if !file.Current() {
		run.newest = (*lookup).newestFormer
	}
	results, err := run.results(ctx, find)
	if err != nil {
		return ledger.Results{}, err
	}
	results.Took = time.Since(begun)
	return results, nil
}

// search is one Search.
type search struct {
	pool   *sql.DB
	query  ledger.Query
	terms  []ledger.Term
	others map[int64]Other
	newest func(*lookup, context.Context) ([]unranked, error)
}

func (s *search) results(ctx context.Context, find Others) (results ledger.Results, err error) {
	if len(s.terms) == 0 {
		return results, nil
	}
	filters, known, err := filterTerms(ctx, s.pool, s.query)
	if err != nil || !known {
		return results, err
	}
	if s.others, err = find(ctx, s.query, s.terms); err != nil {
		return results, err
	}
	limit := s.query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	found := newRanking(s.terms, limit)
	for number, other := range s.others {
		found.add(-number, classes[0].weight, []byte(other.Text()))
	}
	if err := db.Snapshot(ctx, s.pool, func(tx *sql.Tx) error { return s.rank(ctx, tx, filters, found, &results) }); err != nil {
		return results, err
	}
	if results.Total == 0 {
		results.Suggestion, err = suggest(ctx, s.pool, s.terms, filters)
	}
	return results, err
}

// rank fills in the hits, those that are no events among them.
func (s *search) rank(ctx context.Context, tx *sql.Tx, filters []string, found *ranking, results *ledger.Results) error {
	look := lookup{tx, Match(filters, s.terms), keyOf(s.query.Since, 0), keyOf(s.query.Until, math.MaxInt64)}
	hits, err := s.newest(&look, ctx)
	if err != nil {
		return err
	}
	if err := look.rank(ctx, hits, found); err != nil {
		return err
	}
	results.Total = min(len(hits)+len(s.others), Considered)
	results.Hits, err = s.hits(ctx, tx, found.best())
	return err
}

// hits are what is shown of hits: of events by key, of others by their number below 0.
func (s *search) hits(ctx context.Context, tx *sql.Tx, best []int64) ([]ledger.Hit, error) {
	var keys []int64
	for _, key := range best {
		if _, other := s.others[-key]; !other {
			keys = append(keys, key)
		}
	}
	events, err := readHits(ctx, tx, keys, s.terms)
	if err != nil {
		return nil, err
	}
	var hits []ledger.Hit
	for _, key := range best {
		if other, is := s.others[-key]; is {
			hits = append(hits, other.Hit(s.terms))
		} else if hit := events[key]; hit != nil {
			hits = append(hits, *hit)
		}
	}
	return hits, nil
}

// keyOf is the smallest key an event of a time can have.
func keyOf(t time.Time, otherwise int64) int64 {
	if t.IsZero() {
		return otherwise
	}
	return db.FirstKey(t)
}

// lookup is a search of the index.
type lookup struct {
	tx       *sql.Tx
	match    string
	from, to int64 // keys
}

// unranked is a hit before its body is read.
type unranked struct {
	key   int64
	class int
}

// beyond is how many stretches of time behind an event its document is looked for. It
// is behind at all only where more than 8,000 events are of one stretch, as in a
// transcript without times.
const beyond = 16

// newest lists the hits that are considered. Inside of a stretch of time documents are
// numbered as they came: the last one is read to its end.
func (l *lookup) newest(ctx context.Context) (hits []unranked, err error) {
	from, to := db.FirstDocument(db.KeyTime(l.from)), int64(math.MaxInt64)
	if l.to < math.MaxInt64 {
		to = db.FirstDocument(db.KeyTime(l.to))
		for range beyond + 1 {
			to = db.NextStretch(to)
		}
	}
	last := to
	read := func(from, to int64, limit int) error {
		return db.Each(ctx, l.tx, func(rows *sql.Rows) error {
			var hit unranked
			err := rows.Scan(&last, &hit.key, &hit.class)
			hits = append(hits, hit)
			return err
		}, `SELECT d.id, d.event, d.class FROM search CROSS JOIN document d ON d.id = search.rowid
			WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ? AND d.event >= ? AND d.event < ?
			ORDER BY search.rowid DESC LIMIT ?`, l.match, from, to, l.from, l.to, limit)
	}
	if err := read(from, to, Considered); err != nil || len(hits) < Considered {
		return hits, err
	}
	if err := read(max(from, db.Stretch(last)), last, -1); err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b unranked) int { return cmp.Compare(b.key, a.key) })
	return hits[:Considered], nil
}

// newestFormer is newest of a ledger that no writer of this version has opened yet:
// its documents are numbered by the keys of events.
func (l *lookup) newestFormer(ctx context.Context) (hits []unranked, err error) {
	err = db.Each(ctx, l.tx, func(rows *sql.Rows) error {
		var hit unranked
		var kind transcript.Kind
		err := rows.Scan(&hit.key, &kind)
		hit.class = classOf(kind)
		hits = append(hits, hit)
		return err
	}, `SELECT e.key, e.kind FROM search CROSS JOIN event e ON e.key = search.rowid
		WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ? ORDER BY search.rowid DESC LIMIT ?`, l.match, l.from, l.to, Considered)
	return hits, err
}

// rank adds hits to a ranking. It reads the bodies of one class of kinds after the
// other, and stops when no hit of the next class can be among the best any more.
func (l *lookup) rank(ctx context.Context, hits []unranked, found *ranking) error {
	for class := 0; class < len(classes) && !found.complete(classes[class].weight); class++ {
		if err := l.read(ctx, hits, class, found); err != nil {
			return err
		}
	}
	return nil
}

// read adds the hits of one class to a ranking.
func (l *lookup) read(ctx context.Context, hits []unranked, class int, found *ranking) error {
	var keys []int64
	for _, hit := range hits {
		if hit.class == class {
			keys = append(keys, hit.key)
		}
	}
	var wanted []bodies.Wanted
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, l.tx, func(rows *sql.Rows) error {
			var one bodies.Wanted
			err := rows.Scan(&one.Key, &one.Stored)
			wanted = append(wanted, one)
			return err
		}, "SELECT key, body FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
	if err != nil {
		return err
	}
	return bodies.Load(ctx, l.tx, wanted, func(i int, body []byte) error {
		found.add(wanted[i].Key, classes[class].weight, body)
		return nil
	})
}

// readHits reads what is shown of events, each where it stands first, by key. One query
// reads them all: the driver parses a query each time.
func readHits(ctx context.Context, tx *sql.Tx, keys []int64, terms []ledger.Term) (map[int64]*ledger.Hit, error) {
	hits := make(map[int64]*ledger.Hit, len(keys))
	var wanted []bodies.Wanted
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, tx, func(rows *sql.Rows) error {
			var hit ledger.Hit
			var one bodies.Wanted
			err := rows.Scan(&one.Key, &one.Stored, &hit.ID, &hit.Kind, &hit.Session.Tool, &hit.Session.ID, &hit.Path,
				&hit.Ref.Offset, &hit.Ref.Length, &hit.Ref.Line, &hit.Ref.Block)
			if hits[one.Key] == nil {
				hits[one.Key] = &hit
				wanted = append(wanted, one)
			}
			return err
		}, `SELECT e.key, e.body, e.id, e.kind, t.name, COALESCE(n.name, ''), COALESCE(s.path, ''),
				MAX(0, COALESCE(o.offset, 0)), COALESCE(o.length, 0), COALESCE(o.line, 0), CASE WHEN o.offset >= 0 THEN o.block ELSE 0 END
			FROM event e JOIN tool t ON t.id = e.tool
			LEFT JOIN occurrence o ON o.event = e.key
			LEFT JOIN session n ON n.id = o.session
			LEFT JOIN source s ON s.id = o.source
			WHERE e.key IN (`+db.Marks(len(part))+") ORDER BY e.key, s.hook, o.session, o.source, o.offset", part...)
	})
	if err != nil {
		return nil, err
	}
	return hits, bodies.Load(ctx, tx, wanted, func(i int, body []byte) error {
		var event transcript.Event
		err := ledger.DecodeBody(body, &event)
		hit := hits[wanted[i].Key]
		hit.Time, hit.Snippet = event.Time, ledger.Snippet(&event, terms)
		return err
	})
}

// filterTerms are the index terms of a query's filters; known is false when
// the ledger has nothing of that tool or project.
func filterTerms(ctx context.Context, pool *sql.DB, query ledger.Query) (terms []string, known bool, err error) {
	for _, filter := range []struct{ name, value, lookUp string }{
		{"t", query.Tool, "SELECT id FROM tool WHERE name = ?"},
		{"p", query.Project, "SELECT id FROM project WHERE uid = ?"},
	} {
		if filter.value == "" {
			continue
		}
		var number int64
		err := pool.QueryRowContext(ctx, filter.lookUp, filter.value).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		terms = append(terms, filterTerm(filter.name, number))
	}
	if query.Kind != "" {
		terms = append(terms, kindTerm(query.Kind))
	}
	return terms, true, nil
}

// Match is the query in the language of FTS5. Terms are letters and
// digits only, so nothing in them needs escaping.
func Match(filters []string, terms []ledger.Term) string {
	var parts []string
	for _, filter := range filters {
		parts = append(parts, `"`+filter+`"`)
	}
	for _, term := range terms {
		part := phrase(term.Words, term.Prefix)
		if len(term.Parts) > 0 {
			part = "(" + part + " OR " + phrase(term.Parts, term.Prefix) + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " AND ")
}

func phrase(words []string, prefix bool) string {
	text := `"` + strings.Join(words, " ") + `"`
	if prefix {
		text += " *"
	}
	return text
}
