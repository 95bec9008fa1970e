package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ofSession is the condition for the occurrences of the session ?1.
const ofSession = "source IN (SELECT source FROM session_source WHERE session = ?1) AND +session = ?1"

// position is a place inside a source.
type position struct {
	offset int64
	block  int
}

// insertOccurrences stores where the batch has its events. A position that is known
// with the same event costs nothing; one that is known with another event,
// which only happens when bytes changed unseen, goes to the new one.
func (a *appending) insertOccurrences(ctx context.Context) error {
	if a.salvaged != nil && a.salvaged.former {
		return a.insertFormer(ctx)
	}
	if a.batch.Hook {
		if err := a.placeHookEvents(ctx); err != nil {
			return err
		}
	}
	known, err := a.knownOccurrences(ctx)
	if err != nil {
		return err
	}
	var rows [][]any
	fresh := a.freshKeys()
	counted := map[[2]int64]bool{}
	for _, at := range a.occurrences {
		session := a.sessions[at.session]
		here := position{at.ref.Offset, at.ref.Block}
		if known[here] == at.event.key {
			continue
		}
		known[here] = at.event.key
		if at.event.kind == transcript.Session {
			a.source.Openings++
		}
		rows = append(rows, []any{
			a.source.ID, at.ref.Offset, at.ref.Block, at.event.key, session.ID, at.ref.Length, at.ref.Line, at.subagent,
		})
		pair := [2]int64{at.event.key, session.ID}
		if counted[pair] {
			continue
		}
		counted[pair] = true
		present := false
		if !fresh[at.event.key] {
			if present, err = a.isIn(ctx, pair); err != nil {
				return err
			}
		}
		if !present {
			session.Events++
		}
	}
	a.count.Occurrences = len(rows)
	err = db.Insert(ctx, a.tx, db.TableRows, `INSERT OR REPLACE INTO occurrence
		(source, offset, block, event, session, length, line, subagent) VALUES`, rows)
	if err == nil {
		err = a.insertHolder(ctx, a.source.ID, a.sessions)
	}
	if err != nil {
		return err
	}
	return a.dropFormer(ctx)
}

// insertHolder stores that a source holds events of some sessions.
func (t *transaction) insertHolder(ctx context.Context, source int64, sessions map[string]*sessionRow) error {
	var rows [][]any
	for _, session := range sessions {
		rows = append(rows, []any{session.ID, source})
	}
	return db.Insert(ctx, t.tx, db.TableRows, "INSERT OR IGNORE INTO session_source (session, source) VALUES", rows)
}

// insertFormer stores that the source once had the events of the batch: it was
// read again, and what stands at their places now is something else.
func (a *appending) insertFormer(ctx context.Context) error {
	var rows [][]any
	for _, at := range a.occurrences {
		session := a.sessions[at.session]
		present, err := a.isIn(ctx, [2]int64{at.event.key, session.ID})
		if err != nil {
			return err
		}
		if present {
			continue
		}
		session.Events++
		rows = append(rows, []any{a.source.ID, -1 - at.event.key, session.ID, at.event.key, session.ID, 0, 0, at.subagent})
	}
	a.count.Occurrences = len(rows)
	err := db.Insert(ctx, a.tx, db.TableRows, `INSERT OR IGNORE INTO occurrence
		(source, offset, block, event, session, length, line, subagent) VALUES`, rows)
	if err != nil {
		return err
	}
	return a.insertHolder(ctx, a.source.ID, a.sessions)
}

func (a *appending) freshKeys() map[int64]bool {
	keys := make(map[int64]bool, len(a.fresh))
	for _, r := range a.fresh {
		keys[r.key] = true
	}
	return keys
}

// knownOccurrences lists the event at each known position of the part of the source
// that the batch covers.
func (a *appending) knownOccurrences(ctx context.Context) (map[position]int64, error) {
	known := make(map[position]int64, len(a.occurrences))
	if a.unread {
		return known, nil
	}
	from, to := int64(math.MaxInt64), int64(0)
	for _, at := range a.occurrences {
		from, to = min(from, at.ref.Offset), max(to, at.ref.Offset)
	}
	err := db.Each(ctx, a.tx, func(rows *sql.Rows) error {
		var at position
		var event int64
		err := rows.Scan(&at.offset, &at.block, &event)
		known[at] = event
		return err
	}, "SELECT offset, block, event FROM occurrence WHERE source = ? AND offset BETWEEN ? AND ?", a.source.ID, from, to)
	return known, err
}

// placeHookEvents numbers the events of a hook in the order they come in; one
// that came before keeps its number.
func (a *appending) placeHookEvents(ctx context.Context) error {
	var next int64
	err := a.tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(offset) + 1, 0) FROM occurrence WHERE source = ? AND offset >= 0",
		a.source.ID).Scan(&next)
	if err != nil {
		return err
	}
	for i := range a.occurrences {
		at := &a.occurrences[i]
		number := next
		err := a.tx.QueryRowContext(ctx, "SELECT offset FROM occurrence WHERE event = ? AND source = ? AND offset >= 0",
			at.event.key, a.source.ID).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			next++
		} else if err != nil {
			return err
		}
		at.ref = transcript.Ref{Offset: number}
	}
	return nil
}

// isIn reports whether an event has a place in a session.
func (a *appending) isIn(ctx context.Context, pair [2]int64) (present bool, err error) {
	err = a.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM occurrence WHERE event = ? AND session = ?)",
		pair[0], pair[1]).Scan(&present)
	return present, err
}

// replace empties the source for a re-read. Its occurrences become former
// ones, so that an event the file no longer has is still found in its session.
func (a *appending) replace(ctx context.Context) error {
	if !a.batch.Replace {
		return nil
	}
	former := max(a.source.Revision, -1-a.source.Revision) // negative: to be read again by a repair
	if a.batch.Source.Revision > former {
		if err := a.removeOutdated(ctx); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`INSERT OR IGNORE INTO occurrence (source, offset, block, event, session, length, line, subagent)
		 SELECT source, -1 - event, session, event, session, 0, 0, subagent FROM occurrence WHERE source = ? AND offset >= 0`,
		`DELETE FROM occurrence WHERE source = ? AND offset >= 0`,
	} {
		if _, err := a.tx.ExecContext(ctx, statement, a.source.ID); err != nil {
			return err
		}
	}
	a.source.Coverage, a.source.Latest, a.source.Offset, a.source.Openings = "", 0, 0, 0
	return a.forgetSession(ctx)
}

// dropFormer removes the former occurrences of events that have been found in
// the source again.
func (a *appending) dropFormer(ctx context.Context) error {
	if a.unread {
		return nil
	}
	var former bool
	err := a.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM occurrence WHERE source = ? AND offset < 0)",
		a.source.ID).Scan(&former)
	if err != nil || !former {
		return err
	}
	for _, at := range a.occurrences {
		_, err := a.tx.ExecContext(ctx, "DELETE FROM occurrence WHERE source = ? AND offset = ? AND block = ?",
			a.source.ID, -1-at.event.key, a.sessions[at.session].ID)
		if err != nil {
			return err
		}
	}
	return nil
}

// removeOutdated removes the events that the former revision of the reader
// made of this source and that stand nowhere else.
func (a *appending) removeOutdated(ctx context.Context) error {
	outdated, err := a.records(ctx, `key IN (SELECT event FROM occurrence WHERE source = ?1 AND offset >= 0)
		AND NOT EXISTS (SELECT 1 FROM occurrence o WHERE o.event = event.key AND (o.source <> ?1 OR o.offset < 0))`, a.source.ID)
	if err != nil {
		return err
	}
	for _, stored := range outdated {
		for _, statement := range []string{
			`UPDATE session SET events = events - 1 WHERE id IN (SELECT session FROM occurrence WHERE event = ?)`,
			`DELETE FROM occurrence WHERE event = ?`,
		} {
			if _, err := a.tx.ExecContext(ctx, statement, stored.key); err != nil {
				return err
			}
		}
		if err := a.deleteEvent(ctx, stored); err != nil {
			return err
		}
	}
	return nil
}
