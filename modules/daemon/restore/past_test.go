package restore

import (
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
)

// A compaction that came before the session's own transcript was read was answered
// with nothing, for want of anything to give: the next prompt is to give it.
func TestLastGiven_NothingForWantOfReadingIsNoAnswer(t *testing.T) {
	met := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	compaction := met.Add(time.Hour)
	tested := 0
	for _, row := range Table {
		if row.Give != Nothing {
			continue
		}
		tested++
		past := []ledger.Restore{
			{Decision: Nothing, Source: compacted, Reason: row.Why, Time: compaction.Add(time.Second)},
			{Decision: Full, Source: "startup", Time: met},
		}
		at, known := lastGiven(past)
		answered := at.After(compaction)
		if want := slices.Contains(unconditional, row.Name); !known || answered != want {
			t.Errorf("row %q: answered %v, want %v", row.Name, answered, want)
		}
	}
	if tested < 8 || len(unconditional) != 4 {
		t.Errorf("%d rows tested", tested)
	}
	for _, given := range []string{Seam, Full} {
		if at, _ := lastGiven([]ledger.Restore{{Decision: given, Source: compacted, Time: compaction}}); !at.Equal(compaction) {
			t.Errorf("%s is no answer", given)
		}
	}
}
