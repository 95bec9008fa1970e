package sqlite

import (
	"fmt"
	"hash/fnv"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
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
		id: event.ID, kind: event.Kind, time: milliseconds(event.Time), withdrawn: event.Withdrawn,
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

// keyBits is how many bits of a key tell events of one millisecond apart.
const keyBits = 20

// maxMilliseconds is what fits above them: the year 2248.
const maxMilliseconds = 1<<(63-keyBits) - 1

// newKey makes the key of an event. Keys are in time order, because the search
// looks at the newest first; an event without a time gets the one of the last
// event before it that has one. A history that is imported late takes the
// place in the order that its times give it, and the lower bits are a hash, so
// a key depends on the event and not on when it was read. (Two events of one
// millisecond whose hashes meet are the exception: the later takes the next
// free key. No key is part of the digest.)
func newKey(tool, id string, ms int64) int64 {
	hash := fnv.New32a()
	hash.Write([]byte(tool))
	hash.Write([]byte{0})
	hash.Write([]byte(id))
	low := int64(hash.Sum32() & (1<<keyBits - 1))
	return min(max(ms, 0), maxMilliseconds)<<keyBits | low
}

// eventColumns of the table event in the order of values, and their number.
const (
	eventColumns = "key, tool, id, kind, time, withdrawn, outside, revision, redact_rev, project, body"
	eventWidth   = 11
)

func (r *record) values(tool int64) []any {
	var ms any
	if r.time != 0 {
		ms = r.time
	}
	return []any{
		r.key, tool, r.id, string(r.kind), ms, r.withdrawn, r.outside, r.revision, redact.Revision, r.project, r.body,
	}
}
