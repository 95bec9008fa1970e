// Package events reads the events of a session: it puts their places in logical
// order and reads the bodies that are asked for.
package events

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"github.com/carryover-go/carryover/modules/ledger"
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
type Reader struct{ pool *sql.DB }

// NewReader reads over a pool of connections.
func NewReader(pool *sql.DB) *Reader { return &Reader{pool} }

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
		order, err := sessionOrder(ctx, r.pool, session)
		if err != nil {
			fail(err)
			return
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
				if !there || kind != "" && event.Kind != kind {
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
	keys := make([]int64, len(part))
	for i, at := range part {
		keys[i] = at.event
	}
	found := make(map[int64]*transcript.Event, len(part))
	err := db.Chunks(keys, func(part []any) error {
		return db.Each(ctx, pool, func(rows *sql.Rows) error {
			var key int64
			var body sql.RawBytes
			event := transcript.Event{Tool: session.Tool, Session: session.ID}
			if err := rows.Scan(&key, &event.ID, &event.Withdrawn, &body); err != nil {
				return err
			}
			found[key] = &event
			return ledger.DecodeBody(body, &event)
		}, "SELECT key, id, withdrawn, body FROM event WHERE key IN ("+db.Marks(len(part))+")", part...)
	})
	return found, err
}
