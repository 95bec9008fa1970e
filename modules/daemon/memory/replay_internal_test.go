package memory

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

func TestReplay_GivesTheTextOfAMoment(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 3, 2, 9, minute, 0, 0, time.UTC) }
	edits := []edit{
		{at(1), "s1", "", "one\ntwo\n", true},
		{at(2), "s1", "two", "2", false},
		{at(3), "s2", "missing", "x", false},
		{at(4), "s2", "one", "1", false},
	}
	tests := map[string]struct {
		edits   []edit
		at      time.Time
		now     string
		want    string
		skipped int
		whole   bool
	}{
		"now":                           {edits, time.Time{}, "lost", "1\n2\n", 1, true},
		"before the last":               {edits, at(2), "lost", "one\n2\n", 0, true},
		"at the first":                  {edits, at(1), "", "one\ntwo\n", 0, true},
		"without a whole write":         {edits[1:], at(1), "1\n2\n", "one\ntwo\n", 1, false},
		"without one, as it is on disk": {edits[1:], time.Time{}, "1\n2\n", "1\n2\n", 0, false},
	}
	for name, test := range tests {
		var got view.FileAt
		replay(&got, test.edits, test.at, test.now)
		if got.Text != test.want || got.Skipped != test.skipped || got.Whole != test.whole {
			t.Errorf("%s: %+v, want %q", name, got, test.want)
		}
	}
}
