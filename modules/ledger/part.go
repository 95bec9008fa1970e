package ledger

import "github.com/carryover-go/carryover/toolspecs/transcript"

// EventWindow says which part of a session's events is wanted. Places count
// from 0 in the order of Events. The zero window is the beginning.
type EventWindow struct {
	Kind   transcript.Kind // only events of it; "" for all
	From   int             // the first place
	Before int             // not 0: the last events before this place, whatever From says
	Last   bool            // the last events of all, whatever From and Before say
	// Around, when it has a line or an offset, is where an event stands that
	// the part shall hold, whatever the other fields say.
	Around transcript.Ref
	Limit  int  // at most so many events; 100 when 0
	Count  bool // also count the kinds, which reads something of every event
}

// EventPart is a part of a session's events.
type EventPart struct {
	Events []IndexedEvent
	Total  int                     // events of the session
	Kinds  map[transcript.Kind]int // how many there are of each, when that was asked for
	Found  int                     // place of the event that was looked for; -1 without one
	// Earlier and Later say whether there are more of the kind on that side.
	Earlier, Later bool
}

// IndexedEvent is an event with its place in the session.
type IndexedEvent struct {
	transcript.Located
	Index int
}
