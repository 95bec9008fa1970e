package daemon

import (
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// fold is a session's state in memory.
type fold struct {
	state  *extract.State
	path   string // of the source its events come from
	offset int64  // of the last one
	used   int64
}

// add takes the next event; false when it belongs elsewhere.
func (f *fold) add(path string, event transcript.Located) bool {
	inOrder := f.path == path && (event.Ref.Offset > f.offset || event.Ref.Offset == f.offset && event.Ref.Block > 0)
	if !inOrder || !f.state.Add(event) {
		return false
	}
	f.offset = event.Ref.Offset
	return true
}

// maxMeanwhile bounds the events that wait for a fold in the making.
const maxMeanwhile = 4096

// replaying is a fold in the making. Events that come meanwhile wait: the
// ledger may have been read before they were in it. A session at work would
// else never have a fold.
type replaying struct {
	events []arrival
	missed bool // something came that only a new fold can honour
}

type arrival struct {
	path  string
	event transcript.Located
}

func (r *replaying) came(path string, event transcript.Located) {
	if len(r.events) == maxMeanwhile {
		r.missed = true
		return
	}
	r.events = append(r.events, arrival{path, event})
}

// joins adds what came meanwhile to the fold that was made, and says whether
// the fold may be kept.
func (r *replaying) joins(f *fold) bool {
	for _, a := range r.events {
		if a.path != f.path || a.event.Kind == transcript.Rollback {
			return false
		}
		if f.state.Add(a.event) { // else the ledger had it already
			f.offset = max(f.offset, a.event.Ref.Offset)
		}
	}
	return !r.missed
}
