package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// considered is how many hits are ranked, the newest: ranking all that a
// common word has among a million events takes up to 650 ms.
const considered = 1500

const defaultLimit = 20

// Search finds the events, and what named agents left, that meet every term of
// a query.
func (l *Store) Search(ctx context.Context, query ledger.Query) (ledger.Results, error) {
	begun := time.Now()
	results, err := l.search(ctx, query)
	if err != nil {
		return ledger.Results{}, fmt.Errorf("search: %w", damaged(err))
	}
	results.Took = time.Since(begun)
	return results, nil
}

func (l *Store) search(ctx context.Context, query ledger.Query) (results ledger.Results, err error) {
	terms := ledger.Terms(query.Text)
	if len(terms) == 0 {
		return results, nil
	}
	pool, err := l.read.DB()
	if err != nil {
		return results, err
	}
	filters, known, err := filterTerms(ctx, pool, query)
	if err != nil || !known {
		return results, err
	}
	limit := query.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	found := newRanking(terms, limit)
	left, err := l.leftByAgents(ctx, query, terms)
	if err != nil {
		return results, err
	}
	for id, row := range left {
		found.add(-id, classes[0].weight, []byte(row.body))
	}
	look := lookup{pool, matchExpression(filters, terms), keyOf(query.Since, 0), keyOf(query.Until, math.MaxInt64)}
	total, err := look.rank(ctx, found)
	if err != nil {
		return results, err
	}
	results.Total = min(total+len(left), considered)
	if results.Total == 0 {
		results.Suggestion, err = suggest(ctx, pool, terms, filters)
		return results, err
	}
	for _, key := range found.best() {
		hit, err := readHit(ctx, pool, key, left, terms)
		if err != nil {
			return results, err
		}
		results.Hits = append(results.Hits, hit)
	}
	return results, nil
}

// keyOf is the smallest key an event of a time can have.
func keyOf(t time.Time, otherwise int64) int64 {
	if t.IsZero() {
		return otherwise
	}
	return since(t)
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
	err = each(ctx, l.pool, func(rows *sql.Rows) error {
		var hit unranked
		var kind transcript.Kind
		err := rows.Scan(&hit.key, &kind)
		hit.class = classOf(kind)
		hits = append(hits, hit)
		return err
	}, `SELECT e.key, e.kind FROM search CROSS JOIN event e ON e.key = search.rowid
		WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ? ORDER BY search.rowid DESC LIMIT ?`, l.match, l.from, l.to, considered)
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
	for class := 0; class < len(classes) && !found.settled(classes[class].weight); class++ {
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
	return chunks(keys, func(part []any) error {
		return each(ctx, l.pool, func(rows *sql.Rows) error {
			var key int64
			var body sql.RawBytes
			err := rows.Scan(&key, &body)
			found.add(key, classes[class].weight, body)
			return err
		}, "SELECT key, body FROM event WHERE key IN ("+marks(len(part))+")", part...)
	})
}

// readHit fills in what is shown of a hit.
func readHit(ctx context.Context, pool *sql.DB, key int64, left map[int64]agentRow, terms []ledger.Term) (ledger.Hit, error) {
	if row, ok := left[-key]; ok {
		return row.hit(terms), nil
	}
	var hit ledger.Hit
	var event transcript.Event
	err := each(ctx, pool, func(rows *sql.Rows) error {
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

// matchExpression is the query in the language of FTS5. Terms are letters and
// digits only, so nothing in them needs escaping.
func matchExpression(filters []string, terms []ledger.Term) string {
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
