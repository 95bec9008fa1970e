package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func TestActions_LabelIsNoOwner(t *testing.T) {
	s := session().User("Write the minutes").Agent("## Action items\n- TODO: order the paper\n- Note: the office is closed\n- Ada: book the room")
	facts := factsOf(s, extract.Options{})
	want := []distiller.Action{{Who: "open", What: "order the paper"}, {Who: "open", What: "the office is closed"}, {Who: "Ada", What: "book the room"}}
	if len(facts.Actions) != len(want) {
		t.Fatalf("the actions are %+v", facts.Actions)
	}
	for i, action := range facts.Actions {
		if action.Who != want[i].Who || action.What != want[i].What {
			t.Errorf("action %d is %+v, want %+v", i, action, want[i])
		}
	}
}

func TestChronicle_PlansBelowAFolderAndDesignsThatAreNotThere(t *testing.T) {
	s := session().User("Go by the plan").Edit(root + "/thoughts/shared/plans/2026/vouchers.md")
	s.Event(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "d1", Name: "Read", Meaning: transcript.Read, Paths: []string{root + "/docs/design/vouchers.md"}}})
	s.Event(transcript.Event{Kind: transcript.Result, Result: &transcript.ResultInfo{CallID: "d1", Failed: true, Text: "File does not exist."}})
	c := extract.Replay(distiller.Facts{}, extract.Options{Root: root}, s.All()).Chronicle()
	if len(c.Plans) != 1 || c.Plans[0].Path != "thoughts/shared/plans/2026/vouchers.md" {
		t.Errorf("the plans are %+v", c.Plans)
	}
	if len(c.Designs) != 1 || c.Designs[0].Path != "docs/design/vouchers.md" || !c.Designs[0].Sought {
		t.Errorf("the designs are %+v", c.Designs)
	}
}

// TestProgress_ALabelledListIsSeveralItems holds that what is listed behind a
// label is told item by item, and what waits for somebody as an open question.
func TestProgress_ALabelledListIsSeveralItems(t *testing.T) {
	s := session().User("build the login of the shop, with tokens").Edit(root + "/user.go")
	s.Agent("Progress so far.\n\nCompleted: user model, token helper\n\nThe mail sender is blocked until ops answers about the relay.\n\nNext: write the login form.")
	f := fold(s)
	if len(f.Progress) != 2 || f.Progress[0].Text != "user model" || f.Progress[1].Text != "token helper" || f.Progress[1].State != "done" {
		t.Errorf("progress %+v", f.Progress)
	}
	if len(f.Questions) != 1 || !strings.Contains(f.Questions[0].Text, "blocked until ops answers") {
		t.Errorf("questions %+v", f.Questions)
	}
}

func TestActions_ANameOfATestHeadsNone(t *testing.T) {
	s := session().User("Write the tests").Agent("### TestTurnEnd_NoActions\n- Setup: a session in its active phase\n- Assert: nothing happens\n\n### Next actions\n- Ada: book the room")
	if got := fold(s).Actions; len(got) != 1 || got[0].Who != "Ada" {
		t.Errorf("got %+v", got)
	}
}
