package dashboard

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// How much the ladder of failures shows.
const (
	digestFailures = 12 // of one session
	shownLadders   = 12
)

// ladder is something that failed in sessions of a project: a rung for each of them,
// the oldest first.
type ladder struct {
	What  string
	Open  bool // nothing ended it in the last of them
	Rungs []rung
}

// rung is how it went in one session.
type rung struct {
	Session ledger.Session
	distiller.Failure
}

// laddersOf puts the failures of some sessions, the newest first, together by what was
// tried: those that are open first, then those that were met most recently.
func laddersOf(history []past) []ladder {
	var ladders []ladder
	at := map[string]int{}
	for _, one := range history {
		for _, failed := range one.Digest.Failures {
			i, known := at[failed.What]
			if !known {
				i, at[failed.What] = len(ladders), len(ladders)
				ladders = append(ladders, ladder{What: failed.What, Open: failed.Ended == ""})
			}
			if n := len(ladders[i].Rungs); n == 0 || ladders[i].Rungs[n-1].Session.SessionKey != one.Session.SessionKey {
				ladders[i].Rungs = append(ladders[i].Rungs, rung{one.Session, failed})
			}
		}
	}
	for i := range ladders {
		slices.Reverse(ladders[i].Rungs)
	}
	slices.SortStableFunc(ladders, func(a, b ladder) int {
		switch {
		case a.Open == b.Open:
			return 0
		case a.Open:
			return -1
		}
		return 1
	})
	return ladders[:min(shownLadders, len(ladders))]
}
