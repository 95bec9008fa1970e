package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// considered is how many hits are ranked, the newest: ranking all that a
// common word has among a million events takes up to 650 ms.
const considered = 2000

const defaultLimit = 20

// Search finds the events that meet every term of a query.
func (l *Log) Search(ctx context.Context, query ledger.Query) (ledger.Results, error) {
	begun := time.Now()
	results, err := l.search(ctx, query)
	if err != nil {
		return ledger.Results{}, fmt.Errorf("search: %w", damaged(err))
	}
	results.Took = time.Since(begun)
	return results, nil
}

func (l *Log) search(ctx context.Context, query ledger.Query) (results ledger.Results, err error) {
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
	hits, err := newest(ctx, pool, matchExpression(filters, terms), since(query.Since))
	if err != nil {
		return results, err
	}
	results.Total = len(hits)
	best, err := rank(ctx, pool, hits, newRanking(terms, limit))
	if err != nil {
		return results, err
	}
	for _, key := range best {
		hit, err := readHit(ctx, pool, key, terms)
		if err != nil {
			return results, err
		}
		results.Hits = append(results.Hits, hit)
	}
	return results, nil
}

// unranked is a hit before its body is read.
type unranked struct {
	key   int64
	class int
}

// newest lists the hits that are considered.
func newest(ctx context.Context, pool *sql.DB, match string, since int64) (hits []unranked, err error) {
	err = each(ctx, pool, func(rows *sql.Rows) error {
		var hit unranked
		var kind transcript.Kind
		err := rows.Scan(&hit.key, &kind)
		hit.class = classOf(kind)
		hits = append(hits, hit)
		return err
	}, `SELECT e.key, e.kind FROM search CROSS JOIN event e ON e.key = search.rowid
		WHERE search MATCH ? AND search.rowid >= ? ORDER BY search.rowid DESC LIMIT ?`, match, since, considered)
	return hits, err
}

// rank returns the keys of the best hits. It reads the bodies of one class of
// kinds after the other, and stops when no hit of the next class can be among
// the best any more.
func rank(ctx context.Context, pool *sql.DB, hits []unranked, found *ranking) ([]int64, error) {
	for n, class := range classes {
		if found.settled(class.weight) {
			break
		}
		var keys []int64
		for _, hit := range hits {
			if hit.class == n {
				keys = append(keys, hit.key)
			}
		}
		err := chunks(keys, func(part []any) error {
			return each(ctx, pool, func(rows *sql.Rows) error {
				var key int64
				var body sql.RawBytes
				err := rows.Scan(&key, &body)
				found.add(key, class.weight, body)
				return err
			}, "SELECT key, body FROM event WHERE key IN ("+marks(len(part))+")", part...)
		})
		if err != nil {
			return nil, err
		}
	}
	return found.best(), nil
}

// readHit fills in what is shown of a hit.
func readHit(ctx context.Context, pool *sql.DB, key int64, terms []ledger.Term) (ledger.Hit, error) {
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
