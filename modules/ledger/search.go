package ledger

import (
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Kinds of hits that are no events: what a named agent left. A learning is in
// its handoff too, and is a hit of its own only where learnings are asked for.
const (
	KindLedger   transcript.Kind = "ledger"
	KindHandoff  transcript.Kind = "handoff"
	KindLearning transcript.Kind = "learning"
)

// Query is a search.
type Query struct {
	// Text is words that all must be there, "phrases in quotes", and the
	// beginnings of words with a * behind them.
	Text    string
	Project string // id
	// Tool narrows to the sessions of a tool, and so to events.
	Tool  string
	Kind  transcript.Kind // of events, or one of the three above
	Since time.Time
	Until time.Time // events at this time and later are left out
	// EventsOnly leaves out what named agents left.
	EventsOnly bool
	Limit      int // 20 when 0
}

// Results of a search: hits, best first. Total is counted to 1,500, which are
// also the ones, the newest, that hits are chosen from.
type Results struct {
	Hits  []Hit
	Total int
	// Suggestion is the query spelt so that each of its words occurs; "" when
	// something was found, or when none is like it.
	Suggestion string
	Took       time.Duration
}

// Hit is one event that matched, in the first session that holds it, or what a
// named agent left. Path and Ref say where an event stands.
type Hit struct {
	Session SessionKey
	Time    time.Time
	Kind    transcript.Kind
	Snippet Excerpt
	ID      string // of the event, or of the handoff
	Agent   string // whose ledger, handoff or learning it is; "" for an event
	Project string // id, where Agent is set
	Path    string
	Ref     transcript.Ref
}
