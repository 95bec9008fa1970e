package extract_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// An approved plan is called by its title, also where the tool only names the
// file it stands in.
func TestAnApprovedPlanIsCalledByItsTitle(t *testing.T) {
	for topic, want := range map[string]string{"plan.md": "The parser", "": "The parser", "Split the lexer": "Split the lexer"} {
		s := session().User("Plan the parser for the archive")
		s.Event(transcript.Event{Kind: transcript.Plan, Text: "# The parser\n\n1. Write mail_dates.py\n"})
		s.Decides(transcript.Decision{Kind: transcript.DecisionPlan, Topic: topic, Chosen: []string{"approved"}})
		if got := extract.Fold(distiller.Facts{}, extract.Options{Root: root}, s.All()).Decisions; len(got) != 1 || got[0].Topic != want {
			t.Errorf("the plan called %q is %+v", topic, got)
		}
	}
}
