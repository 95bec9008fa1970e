// Package devin reads the sessions of Devin, on the command line and in Devin
// Desktop, from the database they share.
package devin

import (
	"fmt"
	"io"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads Devin's sessions by the tables of its spec.
type Reader struct {
	*kit.Tables
	queries []transcript.RowQuery
}

var _ transcript.RowReader = (*Reader)(nil)

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{Tables: kit.For(spec), queries: spec.Queries()}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Rewrites implements transcript.Rewriter: rows change in place.
func (r *Reader) Rewrites(transcript.Source) bool { return true }

// Decode implements transcript.Reader. There is no file to decode: what lies
// beside the database repeats it.
func (r *Reader) Decode(_ transcript.Source, _ io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	if pos.Offset > 0 || len(pos.State) > 0 {
		return nil, fmt.Errorf("%w: %w", transcript.ErrState, transcript.ErrRowsOnly)
	}
	return nil, transcript.ErrRowsOnly
}

// record is a row on its way to events.
type record struct {
	*Reader
	kit.Record
	session   string
	id        string // of the row, within the tool
	time      time.Time
	withdrawn bool
}

// emit adds an event made from this record. Its id is the record's and a part.
func (r *record) emit(part string, event transcript.Event) *transcript.Located {
	if event.ID == "" {
		event.ID = r.id + "#" + part
	}
	event.Tool, event.Session, event.Withdrawn = r.Spec.Tool, r.session, r.withdrawn
	if event.Time.IsZero() {
		event.Time = r.time
	}
	return r.Add(event)
}

// decisions adds those in a text: taken back where the record is.
func (r *record) decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		r.emit("", decision)
	}
}

// at is a time of the tool, in seconds; 0 is unknown.
func at(seconds int64) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
