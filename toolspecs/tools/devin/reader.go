// Package devin reads the sessions of Devin, on the command line and in Devin
// Desktop, from the database they share: what lies beside it repeats it.
package devin

import (
	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads Devin's sessions by the tables of its spec.
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
			return r.Opened(row, row.Text("working_directory"), &transcript.Start{Model: row.Text("model")}, coverage)
		}
		return r.message(row, coverage)
	})
}

// record is a message on its way to events.
type record struct{ kit.Message }
