package session

import (
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// fold is a session's state in memory.
type fold struct {
	state     *extract.State
	path      string // of the source its events come from
	offset    int64  // of the last one
	block     int    // and its block
	used      int64
	on        map[ledger.SessionKey]bool // itself and the sessions it was folded on top of
	carries   bool                       // it began with work of another session
	unordered bool                       // events of subagents were added as they came, not where the ledger has them
	recent    recent
}

// add takes the next event; false when it belongs elsewhere. What a subagent
// writes into a file of its own goes on while its parent waits: it is added as
// it comes, and the fold rebuilt in the ledger's order when there is time.
func (f *fold) add(path string, event transcript.Located) bool {
	if event.Subagent && path != f.path {
		f.unordered = true
		return f.state.Add(event)
	}
	if event.Ref.Line == 0 && f.recent.has(fingerprint(event)) { // a database gives its newest rows more than once
		return true
	}
	if !f.follows(path, event.Ref) || !f.state.Add(event) {
		return false
	}
	f.offset, f.block = event.Ref.Offset, event.Ref.Block
	f.recent.add(fingerprint(event))
	return true
}

// follows says whether a place comes after the last one. Inside a line of a file
// the state knows; rows of a database have no line.
func (f *fold) follows(path string, ref transcript.Ref) bool {
	switch {
	case path != f.path || ref.Offset < f.offset:
		return false
	case ref.Offset > f.offset:
		return true
	}
	return ref.Block > 0 && (ref.Line > 0 || ref.Block > f.block)
}

// maxMeanwhile bounds the events that wait for a fold that is being made.
const maxMeanwhile = 4096

// pendingReplay is a fold that is being made. Events that come meanwhile wait: the
// ledger may have been read before they were in it. A session at work would
// else never have a fold.
type pendingReplay struct {
	events []arrival
	stale  bool                // something came that only a new fold can honour
	read   map[uint64]struct{} // fingerprints of what the ledger gave
	recent recent              // the last of them
	last   transcript.Ref      // where the last event of the session itself stands
}

type arrival struct {
	path  string
	event transcript.Located
}

func (r *pendingReplay) enqueue(path string, event transcript.Located) {
	if len(r.events) == maxMeanwhile {
		r.stale = true
		return
	}
	r.events = append(r.events, arrival{path, event})
}

// markSeen notes an event that the ledger gave.
func (r *pendingReplay) markSeen(event transcript.Located) {
	if r.read == nil {
		r.read = map[uint64]struct{}{}
	}
	print := fingerprint(event)
	r.read[print] = struct{}{}
	r.recent.add(print)
	if !event.Subagent && event.Ref.Offset >= r.last.Offset {
		r.last = event.Ref
	}
}

// mergeInto adds what came meanwhile to the fold that was made, and says whether
// the fold may be kept.
func (r *pendingReplay) mergeInto(f *fold) bool {
	f.recent, f.block = r.recent, r.last.Block
	for _, a := range r.events {
		if a.event.Kind == transcript.Rollback {
			return false
		}
		if _, known := r.read[fingerprint(a.event)]; !known && !f.add(a.path, a.event) {
			return false
		}
	}
	return !r.stale
}
