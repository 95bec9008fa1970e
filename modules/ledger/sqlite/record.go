package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/bodies"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/fulltext"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// record is an event on its way into the table event.
type record struct {
	key       int64
	id        string
	kind      transcript.Kind
	time      int64 // milliseconds, 0 when unknown
	withdrawn bool
	outside   bool // not from a transcript: not in the digest
	revision  int
	project   int64
	body      string
	stored    bodies.Stored     // what the table has of body; empty for one that is not in it
	document  int64             // number in the index; 0 for one that is not in it
	event     *transcript.Event // prepared; nil for a record read from the table
}

// newRecord prepares an event: nothing that has not been through
// ledger.Prepare gets any further.
func newRecord(event transcript.Event, batch *ledger.Batch) (*record, error) {
	if event.ID == "" {
		return nil, fmt.Errorf("%w: %s: event without id", ledger.ErrBatch, batch.Source.Path)
	}
	event.Tool = batch.Source.Tool
	if event.Session == "" {
		event.Session = batch.Source.Main
	}
	ledger.Prepare(&event)
	body, err := ledger.EncodeBody(&event)
	if err != nil {
		return nil, err
	}
	return &record{
		id: event.ID, kind: event.Kind, time: db.Milliseconds(event.Time), withdrawn: event.Withdrawn,
		outside: batch.Hook || event.Kind == transcript.Git || event.Kind == transcript.Code, revision: batch.Source.Revision,
		body: string(body), event: &event,
	}, nil
}

// merge decides what becomes of a stored event that is read once more, and
// returns the record to keep. A transcript's word is worth more than a hook's
// and a newer reader's more than an older one's; a source that is rewritten in
// place says the newer thing later; and of two copies in append-only files the
// one with the smaller body stays, so that the order of reading is of no
// consequence.
func merge(stored, read *record, rewrites bool) (kept *record, changed bool) {
	if takesOver(stored, read, rewrites) {
		kept := *read
		kept.key, kept.project, kept.stored, kept.document = stored.key, stored.project, stored.stored, stored.document
		if !rewrites && stored.revision == read.revision && stored.outside == read.outside {
			kept.withdrawn = kept.withdrawn || stored.withdrawn
		}
		return &kept, true
	}
	if read.withdrawn && !stored.withdrawn && stored.outside == read.outside && stored.revision == read.revision {
		kept := *stored
		kept.withdrawn = true
		return &kept, true
	}
	return stored, false
}

func takesOver(stored, read *record, rewrites bool) bool {
	switch {
	case stored.outside != read.outside:
		return stored.outside
	case stored.revision != read.revision:
		return read.revision > stored.revision
	case rewrites:
		return read.body != stored.body || read.withdrawn != stored.withdrawn
	default:
		return read.body < stored.body
	}
}

// indexed is what the index knows of the record.
func (r *record) indexed(tool int64) fulltext.Document {
	return fulltext.Document{Number: r.document, Key: r.key, Tool: tool, Project: r.project, Kind: r.kind, Body: r.body, Event: r.event}
}

// eventColumns of the table event in the order of values, and their number.
const (
	eventColumns = "key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body, sum, hash, document"
	eventWidth   = 14
)

// values are the columns of the record; body is what the column body has of it.
func (r *record) values(tool int64, toolName string, body any) []any {
	var ms any
	if r.time != 0 {
		ms = r.time
	}
	return []any{
		r.key, tool, r.id, string(r.kind), ms, r.withdrawn, r.outside, r.revision, redact.Revision, r.project, body,
		db.EventSum(r.key, r.id, r.withdrawn, r.body), db.IDHash(toolName, r.id), r.document,
	}
}

// recordColumns are what scanRecord reads.
const recordColumns = "key, tool, id, kind, COALESCE(time, 0), withdrawn, outside, revision, project, document, body"

// toolRecord is a record of the table.
type toolRecord struct {
	*record

	tool int64
}

// records reads the events that a condition names, with their bodies.
func (t *transaction) records(ctx context.Context, where string, args ...any) (list []toolRecord, err error) {
	var wanted []bodies.Wanted
	err = db.Each(ctx, t.tx, func(rows *sql.Rows) error {
		r := toolRecord{record: &record{}}
		err := rows.Scan(&r.key, &r.tool, &r.id, &r.kind, &r.time, &r.withdrawn, &r.outside, &r.revision, &r.project, &r.document, &r.stored)
		list, wanted = append(list, r), append(wanted, bodies.Wanted{Key: r.key, Stored: r.stored})
		return err
	}, "SELECT "+recordColumns+" FROM event WHERE "+where, args...)
	if err != nil {
		return nil, err
	}
	return list, t.bodies.Load(ctx, t.tx, wanted, func(i int, body []byte) error {
		list[i].body = string(body)
		return nil
	})
}

// reindex lets the index follow a record that has changed since it was taken from it.
func (t *transaction) reindex(ctx context.Context, r *record, tool int64) (err error) {
	r.document, err = t.index.Add(ctx, t.tx, r.indexed(tool))
	return err
}

// rewriteBody gives a stored event another body.
func (t *transaction) rewriteBody(ctx context.Context, r *record, tool int64, body string) error {
	t.index.Remove(r.indexed(tool))
	if err := t.bodies.Remove(r.key, r.stored); err != nil {
		return err
	}
	r.body, r.event = body, nil
	if err := t.reindex(ctx, r, tool); err != nil {
		return err
	}
	stored, err := t.bodies.Add(ctx, t.tx, r.key, r.kind, body)
	if err != nil {
		return err
	}
	_, err = t.tx.ExecContext(ctx, "UPDATE event SET body = ?, sum = ?, document = ? WHERE key = ?",
		stored, db.EventSum(r.key, r.id, r.withdrawn, r.body), r.document, r.key)
	return err
}

// deleteEvent deletes an event with all that is kept of it beside its places.
func (t *transaction) deleteEvent(ctx context.Context, r toolRecord) error {
	t.index.Remove(r.indexed(r.tool))
	if err := t.bodies.Remove(r.key, r.stored); err != nil {
		return err
	}
	_, err := t.tx.ExecContext(ctx, "DELETE FROM event WHERE key = ?", r.key)
	return err
}
