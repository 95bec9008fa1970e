package daemon

import (
	"hash/maphash"

	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// fold is a session's state in memory.
type fold struct {
	state  *extract.State
	path   string // of the source its events come from
	offset int64  // of the last one
	used   int64
	loose  bool // events of subagents were added as they came, not where the ledger has them
}

// add takes the next event; false when it belongs elsewhere. What a subagent
// writes into a file of its own goes on while its parent waits: it is added as
// it comes, and the fold made anew in the ledger's order when there is time.
func (f *fold) add(path string, event transcript.Located) bool {
	if event.Subagent && path != f.path {
		f.loose = true
		return f.state.Add(event)
	}
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
	missed bool                // something came that only a new fold can honour
	read   map[uint64]struct{} // prints of what the ledger gave
}

// prints tell events apart in eight bytes: a session may have hundreds of
// thousands of them.
var prints = maphash.MakeSeed()

// printOf is the print of an event's identity and of what stores write anew in place.
func printOf(event transcript.Located) uint64 {
	var h maphash.Hash
	h.SetSeed(prints)
	for _, part := range []string{event.ID, event.Text} {
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0)
	}
	if event.Result != nil {
		_, _ = h.WriteString(event.Result.Text)
	}
	return h.Sum64()
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

// had notes an event that the ledger gave.
func (r *replaying) had(event transcript.Located) {
	if r.read == nil {
		r.read = map[uint64]struct{}{}
	}
	r.read[printOf(event)] = struct{}{}
}

// joins adds what came meanwhile to the fold that was made, and says whether
// the fold may be kept.
func (r *replaying) joins(f *fold) bool {
	for _, a := range r.events {
		if a.event.Kind == transcript.Rollback {
			return false
		}
		if _, known := r.read[printOf(a.event)]; !known && !f.add(a.path, a.event) {
			return false
		}
	}
	return !r.missed
}
