package events

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// plainSource is the one source of a session that stands in no other, once each
// event: its order is that of the table, and a part of it is read without the rest.
type plainSource struct {
	holder
	events int
}

// plainPart is EventPart for a part of all kinds of such a session, and reads no more
// rows than the part has; ok is false for all others.
func (r *Reader) plainPart(ctx context.Context, session ledger.SessionKey, window ledger.EventWindow) (part ledger.EventPart, ok bool, err error) {
	part = ledger.EventPart{Found: -1}
	if window.Count || window.Kind != "" || window.Around.Line != 0 || window.Around.Offset != 0 {
		return part, false, nil
	}
	source, ok, err := r.plainSource(ctx, session)
	if err != nil || !ok {
		return part, false, err
	}
	part.Total = source.events
	from, until := bounds(window, source.events)
	part.Earlier, part.Later = from > 0, until < source.events
	var standings []standing
	var indexes []int
	err = source.each(ctx, r.pool, until-from, from, func(at standing) {
		indexes = append(indexes, from+len(indexes))
		standings = append(standings, at)
	})
	if err == nil {
		part.Events, err = r.indexed(ctx, session, standings, indexes)
	}
	if err != nil {
		err = fmt.Errorf("events of session %s: %w", session.ID, db.Damaged(err))
	}
	return part, true, err
}

// bounds are the places of a window over all kinds, from the first to before the last.
func bounds(window ledger.EventWindow, total int) (from, until int) {
	switch {
	case window.Last:
		return max(0, total-window.Limit), total
	case window.Before > 0:
		until = min(window.Before, total)
		return max(0, until-window.Limit), until
	}
	from = min(max(0, window.From), total)
	return from, min(from+window.Limit, total)
}

// plainSource finds the one source of a session.
func (r *Reader) plainSource(ctx context.Context, session ledger.SessionKey) (source plainSource, ok bool, err error) {
	var sources, known int
	var first int64
	err = db.Each(ctx, r.pool, func(rows *sql.Rows) error {
		sources++
		return rows.Scan(&source.id, &source.session, &known, &source.events, &first)
	}, `SELECT o.source, n.id, n.events, COUNT(*), MIN(o.offset)
		FROM session n JOIN tool t ON t.id = n.tool CROSS JOIN occurrence o ON o.source IN (`+r.file.SourcesOfSession()+`) AND +o.session = n.id
		WHERE t.name = ? AND n.name = ? GROUP BY o.source LIMIT 2`, session.Tool, session.ID)
	if err != nil {
		return source, false, fmt.Errorf("sources of session %s: %w", session.ID, db.Damaged(err))
	}
	return source, sources == 1 && first >= 0 && known == source.events, nil
}
