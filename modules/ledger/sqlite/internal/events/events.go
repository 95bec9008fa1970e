// Package events reads the events of a session: it puts their places in logical
// order and reads the bodies that are asked for.
package events

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// standing is one event's place in a session, before its body is read.
type standing struct {
	event     int64
	source    int64
	ref       transcript.Ref
	subagent  bool
	former    bool // the source was read again and does not have it any more
	withdrawn bool // former, in a source that the tool rewrites: taken back
}

// Reader reads events. It is safe for concurrent use.
type Reader struct {
	file *db.File
	pool *sql.DB
}

// NewReader reads over a file's reading connections.
func NewReader(file *db.File) *Reader { return &Reader{file, file.Reader()} }

// Events yields a session's events in logical order. The order is made first,
// from integers; the bodies are read as they are asked for, and no transaction
// is open while the caller works.
func (r *Reader) Events(ctx context.Context, session ledger.SessionKey) iter.Seq2[transcript.Located, error] {
	return r.events(ctx, session, "")
}

// Decisions lists the stored decisions of a session, in order.
func (r *Reader) Decisions(ctx context.Context, session ledger.SessionKey) ([]transcript.Located, error) {
	var decisions []transcript.Located
	for located, err := range r.events(ctx, session, transcript.Decided) {
		if err != nil {
			return nil, err
		}
		decisions = append(decisions, located)
	}
	return decisions, nil
}

// events yields the events of one kind, or of all.
func (r *Reader) events(ctx context.Context, session ledger.SessionKey, kind transcript.Kind) iter.Seq2[transcript.Located, error] {
	return func(yield func(transcript.Located, error) bool) {
		fail := func(err error) {
			yield(transcript.Located{}, fmt.Errorf("events of session %s: %w", session.ID, db.Damaged(err)))
		}
		order, err := r.sessionOrder(ctx, session)
		if err != nil {
			fail(err)
			return
		}
		if kind != "" { // few: the bodies of all others are not read
			kinds, err := r.kindsOf(ctx, session)
			if err != nil {
				fail(err)
				return
			}
			order = slices.DeleteFunc(order, func(at standing) bool { return kinds[at.event] != kind })
		}
		for len(order) > 0 {
			part := order[:min(db.Chunk, len(order))]
			order = order[len(part):]
			found, err := readEvents(ctx, r.pool, session, part)
			if err != nil {
				fail(err)
				return
			}
			for _, at := range part {
				event, there := found[at.event]
				if !there {
					continue
				}
				if !yield(at.located(event), nil) {
					return
				}
			}
		}
	}
}

// readEvents reads the bodies of a part of a session.
func readEvents(ctx context.Context, pool *sql.DB, session ledger.SessionKey, part []standing) (map[int64]*transcript.Event, error) {
	found := make(map[int64]*transcript.Event, len(part))
	err := eachBody(ctx, pool, "id, withdrawn", keysOf(part), func(rows *sql.Rows, one *bodies.Wanted) error {
		event := transcript.Event{Tool: session.Tool, Session: session.ID}
		err := rows.Scan(&one.Key, &one.Stored, &event.ID, &event.Withdrawn)
		found[one.Key] = &event
		return err
	}, func(key int64, body []byte) error { return ledger.DecodeBody(body, found[key]) })
	return found, err
}

// eachBody reads the rows of events with some keys, of each its key, its body and more
// columns, and then visits the bodies, all as they are at one moment.
func eachBody(ctx context.Context, pool *sql.DB, columns string, keys []int64,
	scan func(*sql.Rows, *bodies.Wanted) error, visit func(key int64, body []byte) error,
) error {
	return db.Snapshot(ctx, pool, func(tx *sql.Tx) error {
		return db.Chunks(keys, func(part []any) error {
			wanted := make([]bodies.Wanted, 0, len(part))
			err := db.Each(ctx, tx, func(rows *sql.Rows) error {
				var one bodies.Wanted
				err := scan(rows, &one)
				wanted = append(wanted, one)
				return err
			}, "SELECT key, body, "+columns+" FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
			if err != nil {
				return err
			}
			return bodies.Load(ctx, tx, wanted, func(i int, body []byte) error { return visit(wanted[i].Key, body) })
		})
	})
}
