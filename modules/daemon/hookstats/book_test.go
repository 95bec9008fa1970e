package hookstats_test

import (
	"testing"
	"testing/synctest"
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
			if err := book.Note("codex", "Stop", noon.Add(time.Duration(3*run+i)*time.Second), 3*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		if err := book.Close(); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := hookstats.Read(dir)
	want := hookstats.Seen{Count: 6, First: noon, Last: noon.Add(5 * time.Second), Took: hookstats.Latencies{2: 6}}
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
		if err := book.Note("codex", event, time.Now(), 0); err != nil {
			t.Fatal(err)
		}
		if counts, err := hookstats.Read(dir); err != nil || counts.Of("codex", event).Count != 1 {
			t.Errorf("%s is not on disk: %v (%v)", event, counts, err)
		}
	}
}

// The last hooks of a run are written although none comes after them.
func TestBook_WritesWhatCameLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := home.Dir(t.TempDir())
		book := hookstats.Open(dir)
		for range 3 {
			if err := book.Note("codex", "Stop", time.Now(), 0); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(hookstats.WriteEvery)
		if counts, err := hookstats.Read(dir); err != nil || counts.Of("codex", "Stop").Count != 3 {
			t.Errorf("on disk are %v (%v)", counts, err)
		}
	})
}

// How long answers took is known to a class: the half of them, and nearly all.
func TestLatencies_KnowTheHalfAndNearlyAll(t *testing.T) {
	book := hookstats.Open(home.Dir(t.TempDir()))
	for i := range 100 {
		if err := book.Note("codex", "Stop", time.Now(), time.Duration(i)*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	took := book.Counts().Of("codex", "Stop").Took
	if took.Total() != 100 || took.Within(0.5) != 50*time.Millisecond || took.Within(0.95) != 100*time.Millisecond {
		t.Errorf("%v: half within %s, 95 %% within %s", took, took.Within(0.5), took.Within(0.95))
	}
	var none, long hookstats.Latencies
	long[len(long)-1] = 3
	long.Add(none)
	if none.Within(0.5) != 0 || long.Within(0.5) != 0 || long.Bound(len(long)-1) != 0 {
		t.Error("what has no bound has one")
	}
}
