package sqlite

import (
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
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
		kept.key, kept.project = stored.key, stored.project
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

// document is what the index knows of the record.
func (r *record) document(tool int64) fulltext.Document {
	return fulltext.Document{Key: r.key, Tool: tool, Project: r.project, Kind: r.kind, Body: r.body, Event: r.event}
}

// eventColumns of the table event in the order of values, and their number.
const (
	eventColumns = "key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body, sum"
	eventWidth   = 12
)

func (r *record) values(tool int64) []any {
	var ms any
	if r.time != 0 {
		ms = r.time
	}
	return []any{
		r.key, tool, r.id, string(r.kind), ms, r.withdrawn, r.outside, r.revision, redact.Revision, r.project, r.body,
		db.EventSum(r.key, r.id, r.withdrawn, r.body),
	}
}
