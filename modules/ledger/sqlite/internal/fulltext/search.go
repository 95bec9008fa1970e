package fulltext

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
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
func Search(ctx context.Context, pool *sql.DB, query ledger.Query, find Others) (ledger.Results, error) {
	begun := time.Now()
	run := search{pool: pool, query: query, terms: ledger.Terms(query.Text)}
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
	look := lookup{s.pool, Match(filters, s.terms), keyOf(s.query.Since, 0), keyOf(s.query.Until, math.MaxInt64)}
	total, err := look.rank(ctx, found)
	if err != nil {
		return results, err
	}
	results.Total = min(total+len(s.others), Considered)
	if results.Total == 0 {
		results.Suggestion, err = suggest(ctx, s.pool, s.terms, filters)
		return results, err
	}
	for _, key := range found.best() {
		hit, err := s.hit(ctx, key)
		if err != nil {
			return results, err
		}
		results.Hits = append(results.Hits, hit)
	}
	return results, nil
}

// hit is what is shown of a hit: of an event by key, of another by its number
// below 0.
func (s *search) hit(ctx context.Context, key int64) (ledger.Hit, error) {
	if other, ok := s.others[-key]; ok {
		return other.Hit(s.terms), nil
	}
	return readHit(ctx, s.pool, key, s.terms)
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
	pool     *sql.DB
	match    string
	from, to int64 // keys
}

// unranked is a hit before its body is read.
type unranked struct {
	key   int64
	class int
}

// newest lists the hits that are considered.
func (l lookup) newest(ctx context.Context) (hits []unranked, err error) {
	err = db.Each(ctx, l.pool, func(rows *sql.Rows) error {
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

// rank adds hits to a ranking and returns how many there are. It reads the
// bodies of one class of kinds after the other, and stops when no hit of the
// next class can be among the best any more.
func (l lookup) rank(ctx context.Context, found *ranking) (total int, err error) {
	hits, err := l.newest(ctx)
	if err != nil {
		return 0, err
	}
	for class := 0; class < len(classes) && !found.complete(classes[class].weight); class++ {
		if err := l.read(ctx, hits, class, found); err != nil {
			return 0, err
		}
	}
	return len(hits), nil
}

// read adds the hits of one class to a ranking.
func (l lookup) read(ctx context.Context, hits []unranked, class int, found *ranking) error {
	var keys []int64
	for _, hit := range hits {
		if hit.class == class {
			keys = append(keys, hit.key)
		}
	}
	return db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, l.pool, func(rows *sql.Rows) error {
			var key int64
			var body sql.RawBytes
			err := rows.Scan(&key, &body)
			found.add(key, classes[class].weight, body)
			return err
		}, "SELECT key, body FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
}

// readHit fills in what is shown of an event.
func readHit(ctx context.Context, pool *sql.DB, key int64, terms []ledger.Term) (ledger.Hit, error) {
	var hit ledger.Hit
	var event transcript.Event
	err := db.Each(ctx, pool, func(rows *sql.Rows) error {
		var body sql.RawBytes
		err := rows.Scan(&hit.ID, &hit.Kind, &body, &hit.Session.Tool, &hit.Session.ID, &hit.Path,
			&hit.Ref.Offset, &hit.Ref.Length, &hit.Ref.Line, &hit.Ref.Block)
		if err != nil {
			return err
		}
		return ledger.DecodeBody(body, &event)
	}, `SELECT e.id, e.kind, e.body, t.name, COALESCE(n.name, ''), COALESCE(s.path, ''),
			MAX(0, COALESCE(o.offset, 0)), COALESCE(o.length, 0), COALESCE(o.line, 0), CASE WHEN o.offset >= 0 THEN o.block ELSE 0 END
		FROM event e JOIN tool t ON t.id = e.tool
		LEFT JOIN occurrence o ON o.event = e.key
		LEFT JOIN session n ON n.id = o.session
		LEFT JOIN source s ON s.id = o.source
		WHERE e.key = ? ORDER BY s.hook, o.session, o.source, o.offset LIMIT 1`, key)
	hit.Time = event.Time
	hit.Snippet = ledger.Snippet(&event, terms)
	return hit, err
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
