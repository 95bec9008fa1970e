// Package kit is what readers of transcripts have in common: the loop over the
// records, what is counted of them, the places of events, and the decisions in
// a text. A reader adds what only its tool does.
package kit

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Tables is a spec made ready for reading. Readers embed it.
type Tables struct {
	Spec   *toolspecs.Spec
	Sorter *toolspecs.Sorter
	Calls  *toolspecs.CallTable

	names map[string]bool // of members; true where what is below is not looked at
}

// For prepares a spec.
func For(spec *toolspecs.Spec) *Tables {
	names := map[string]bool{}
	for _, name := range spec.Names {
		free := strings.HasSuffix(name, "*")
		names[strings.TrimSuffix(name, "*")] = free
	}
	return &Tables{Spec: spec, Sorter: spec.Records.Sorter(), Calls: spec.CallTable(), names: names}
}

func (t *Tables) tables() *Tables { return t }

// Count counts a record that has a type and no line of its own, a row of a
// database or a part of a document, and says whether it is read.
func (t *Tables) Count(kind string, coverage *transcript.Coverage) bool {
	coverage.Records++
	switch t.Spec.Records.ClassOf(kind) {
	case toolspecs.Read:
		coverage.Read++
		return true
	case toolspecs.Skipped:
		coverage.Skipped++
	default:
		coverage.CountUnknown("", kind, 1)
	}
	return false
}

// Broken counts a record that cannot be understood.
func Broken(coverage *transcript.Coverage) {
	coverage.Records++
	coverage.Broken++
}
