// Package goose reads the sessions of Goose from its database, and those of Crush:
// both keep a message as a row with a list of parts in JSON.
package goose

import (
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads sessions by the tables of its spec.
type Reader struct{ kit.Database }

var _ transcript.RowReader = (*Reader)(nil)

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.ForDatabase(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// MapRows implements transcript.RowReader.
func (r *Reader) MapRows(rows []transcript.Row) ([]transcript.Located, transcript.Coverage) {
	return kit.MapRows(r.Tables, rows, func(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
		if row.Query == "session" {
			return r.Opened(row, row.Text("working_dir"), kit.StartedBy(row.Text("parent")), coverage)
		}
		return r.message(row, coverage)
	})
}
