package extract_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Whoever gets the facts together with a call's result does not read that it has
// none; another call that runs still has none, and so has this one for all
// others.
func TestTheCallWhoseResultIsToldIsNotMissingIt(t *testing.T) {
	s := session().User("Make the importer work")
	s.Event(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c8", Name: "Bash", Meaning: transcript.Shell, Command: "make deploy"}})
	s.Event(transcript.Event{Kind: transcript.Call, Call: &transcript.CallInfo{ID: "c9", Name: "Fetch", Meaning: transcript.Fetch, Detail: "the manual"}})
	state := extract.Replay(distiller.Facts{}, extract.Options{Root: root}, s.All())
	for _, test := range []struct {
		name     string
		id, tool string // of the call whose result is told
		want     string
		last     int // calls in the trail
	}{
		{"by its id", "c9", "", "make deploy", 1},
		{"by its name", "", "Fetch", "make deploy", 1},
		{"of another one", "c8", "", "the manual", 1},
		{"of one that nobody knows", "", "Read", "the manual", 2},
	} {
		facts, trail := state.After(test.id, test.tool)
		var waiting []string
		for _, statement := range facts.Verify {
			waiting = append(waiting, statement.Text)
		}
		if len(trail.Calls) != test.last || len(facts.Turn.Last) != test.last {
			t.Errorf("%s: the last calls are %+v and %+v", test.name, facts.Turn.Last, trail.Calls)
		}
		if text := strings.Join(waiting, "\n"); !strings.Contains(text, "no result yet: `") || !strings.Contains(text, test.want) {
			t.Errorf("%s: to be checked is %q, want %q", test.name, text, test.want)
		}
	}
	if last := state.Facts().Turn.Last; len(last) != 2 {
		t.Errorf("for all others the last calls are %+v", last)
	}
}
