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
		name  string
		facts distiller.Facts
		want  string
	}{
		{"by its id", state.FactsAfter("c9", ""), "make deploy"},
		{"by its name", state.FactsAfter("", "Fetch"), "make deploy"},
		{"of another one", state.FactsAfter("c8", ""), "the manual"},
		{"of one that nobody knows", state.FactsAfter("", "Read"), "the manual"},
		{"of none", state.Facts(), "the manual"},
	} {
		var waiting []string
		for _, statement := range test.facts.Verify {
			waiting = append(waiting, statement.Text)
		}
		if text := strings.Join(waiting, "\n"); !strings.Contains(text, "no result yet: `") || !strings.Contains(text, test.want) {
			t.Errorf("%s: to be checked is %q, want %q", test.name, text, test.want)
		}
	}
}
