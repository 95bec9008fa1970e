package hookstats_test

import (
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/hookstats"
)

func TestHooksAreCountedAcrossRuns(t *testing.T) {
	dir := home.Dir(t.TempDir())
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for run := range 2 {
		book := hookstats.Open(dir)
		for i := range 3 {
			if err := book.Note("codex", "Stop", noon.Add(time.Duration(3*run+i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		if err := book.Close(); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := hookstats.Read(dir)
	want := hookstats.Seen{Count: 6, First: noon, Last: noon.Add(5 * time.Second)}
	if got := counts.Of("codex", "STOP"); err != nil || got != want {
		t.Errorf("counted %+v (%v), want %+v", got, err, want)
	}
	if got := counts.Of("codex", "SessionEnd"); got.Count != 0 {
		t.Errorf("a hook that never came counts %d", got.Count)
	}
}

// A person who asks while the daemon runs sees the first of each kind.
func TestTheFirstOfAKindIsWrittenAtOnce(t *testing.T) {
	dir := home.Dir(t.TempDir())
	book := hookstats.Open(dir)
	for _, event := range []string{"Stop", "SessionStart"} {
		if err := book.Note("codex", event, time.Now()); err != nil {
			t.Fatal(err)
		}
		if counts, err := hookstats.Read(dir); err != nil || counts.Of("codex", event).Count != 1 {
			t.Errorf("%s is not on disk: %v (%v)", event, counts, err)
		}
	}
}
