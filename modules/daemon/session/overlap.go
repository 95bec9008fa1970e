package session

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// overlapWithin is how close two changes of one file by two sessions are to be told.
const overlapWithin = time.Minute

// maxEdited bounds the files, and the sessions, that are remembered.
const maxEdited = 4096

// Overlap is a file that two sessions changed at the same time, as one of them is
// told it.
type Overlap struct {
	Path  string // absolute
	Other ledger.SessionKey
	Time  time.Time // of the other one's change
}

// Overlaps knows which files sessions changed last, and who of two that changed the
// same one is still to be told. Nothing of it is kept.
type Overlaps struct {
	mu       sync.Mutex
	cwd      map[ledger.SessionKey]string
	edited   map[string]map[ledger.SessionKey]time.Time
	pending  map[ledger.SessionKey]Overlap
	notified map[[2]ledger.SessionKey]bool // the second was told of the first
}

// Stored follows events that were just stored.
func (o *Overlaps) Stored(events []transcript.Located) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range events {
		o.see(&events[i].Event)
	}
}

func (o *Overlaps) see(event *transcript.Event) {
	if event.Subagent { // it works for another session
		return
	}
	key := ledger.SessionKey{Tool: event.Tool, ID: event.Session}
	if event.WorkDir != nil && event.WorkDir.Cwd != "" {
		o.bound()
		o.cwd[key] = event.WorkDir.Cwd
	}
	if event.Call == nil || event.Kind != transcript.Call || event.Time.IsZero() || event.Civil {
		return
	}
	switch event.Call.Meaning {
	case transcript.Edit, transcript.Write, transcript.Delete:
	default:
		return
	}
	for _, path := range event.Call.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(firstOf(event.Call.Cwd, o.cwd[key]), path)
		}
		if filepath.IsAbs(path) {
			o.edits(key, path, event.Time)
		}
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// edits notes a change, and who is to be told of it.
func (o *Overlaps) edits(key ledger.SessionKey, path string, at time.Time) {
	o.bound()
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for other, then := range o.edited[path] {
		if other == key || at.Sub(then).Abs() > overlapWithin {
			continue
		}
		o.owe(key, Overlap{path, other, then})
		o.owe(other, Overlap{path, key, at})
	}
	if o.edited[path] == nil {
		o.edited[path] = map[ledger.SessionKey]time.Time{}
	}
	o.edited[path][key] = at
}

func (o *Overlaps) owe(key ledger.SessionKey, overlap Overlap) {
	if !o.notified[[2]ledger.SessionKey{overlap.Other, key}] {
		o.pending[key] = overlap
	}
}

// bound forgets everything when too much is held. What was told is forgotten last.
func (o *Overlaps) bound() {
	if o.edited == nil || len(o.edited) > maxEdited || len(o.cwd) > maxEdited {
		o.cwd, o.edited = map[ledger.SessionKey]string{}, map[string]map[ledger.SessionKey]time.Time{}
		o.pending = map[ledger.SessionKey]Overlap{}
	}
	if o.notified == nil || len(o.notified) > maxEdited {
		o.notified = map[[2]ledger.SessionKey]bool{}
	}
}

// Due is the overlap that a session is to be told of now, once for each other session.
// One that is older than a few minutes is history and nobody's news.
func (o *Overlaps) Due(key ledger.SessionKey, now time.Time) (Overlap, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	overlap, ok := o.pending[key]
	if !ok {
		return Overlap{}, false
	}
	delete(o.pending, key)
	o.notified[[2]ledger.SessionKey{overlap.Other, key}] = true
	return overlap, now.Sub(overlap.Time) <= 2*overlapWithin
}
