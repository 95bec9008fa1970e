package ledger

import (
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Query is a search.
type Query struct {
	// Text is words that all must be there, "phrases in quotes", and the
	// beginnings of words with a * behind them.
	Text    string
	Project string // id
	Tool    string
	Kind    transcript.Kind
	Since   time.Time
	Limit   int // 20 when 0
}

// Results of a search: hits, best first. Total is counted to 2,000, which are
// also the ones, the newest, that hits are chosen from.
type Results struct {
	Hits  []Hit
	Total int
	Took  time.Duration
}

// Hit is one event that matched, in the first session that holds it. Path and
// Ref say where it stands.
type Hit struct {
	Session SessionKey
	Time    time.Time
	Kind    transcript.Kind
	Snippet string
	ID      string
	Path    string
	Ref     transcript.Ref
}
