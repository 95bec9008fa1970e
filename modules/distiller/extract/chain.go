package extract

import (
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
)

// Bounds of the requests that are listed.
const (
	shownRequests = 12
	shownNow      = 16 // conclusions of the current request
	shownBefore   = 3  // of one before it
)

// requestFacts are the requests of the current topic with what came of them,
// the newest last.
func (s *State) requestFacts() []distiller.Request {
	var out []distiller.Request
	chain := s.requests.Chain()
	for i, r := range chain[max(0, len(chain)-shownRequests):] {
		last := i == min(len(chain), shownRequests)-1
		outcome, evidence := r.Outcome(last, last && s.waitsFor(r) != nil, s.progress.checkedLast(s.files.Edited))
		fact := distiller.Request{Text: prose.Clip(r.Said(), 300), Relation: string(r.Relation), Outcome: outcome, Evidence: evidence, Source: r.Source}
		n := shownBefore
		if last {
			n = shownNow
		}
		for _, remark := range timeline.Best(r.Remarks, n) {
			fact.Concluded = append(fact.Concluded, distiller.Statement{Text: remark.Text, Source: remark.Source})
		}
		out = append(out, fact)
	}
	return out
}
