package contextusage_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

var key = ledger.SessionKey{Tool: "tool", ID: "s"}

func used(context, window int64) transcript.Located {
	return transcript.Located{Event: transcript.Event{
		Tool: "tool", Session: "s", Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{Context: context, Window: window, Model: "m"},
	}}
}

func compacted(trigger string) transcript.Located {
	return transcript.Located{Event: transcript.Event{
		Tool: "tool", Session: "s", Kind: transcript.Compacted, Compaction: &transcript.CompactionInfo{Trigger: trigger},
	}}
}

func gauges(t *testing.T) *contextusage.Gauges {
	return &contextusage.Gauges{Windows: contextusage.Open(home.Dir(t.TempDir())), Limits: contextusage.Limits{Notice: 70, Snapshot: 95}}
}

func add(t *testing.T, g *contextusage.Gauges, events ...transcript.Located) contextusage.Crossed {
	t.Helper()
	crossed, err := g.Add(events)
	if err != nil {
		t.Fatal(err)
	}
	return crossed[key]
}

func TestEachCrossingCountsOnce(t *testing.T) {
	g := gauges(t)
	for _, step := range []struct {
		name     string
		event    transcript.Located
		crossed  contextusage.Crossed
		due, say bool
	}{
		{"below", used(69, 100), contextusage.Crossed{}, false, false},
		{"over the notice", used(70, 100), contextusage.Crossed{Notice: true}, true, true},
		{"given, still over", used(80, 100), contextusage.Crossed{}, false, false},
		{"over the snapshot", used(95, 100), contextusage.Crossed{Snapshot: true}, false, false},
		{"a compaction empties it", compacted("manual"), contextusage.Crossed{}, false, false},
		{"over again", used(72, 100), contextusage.Crossed{Notice: true}, true, true},
		{"below again", used(10, 100), contextusage.Crossed{}, false, false},
		{"both at once", used(99, 100), contextusage.Crossed{Notice: true, Snapshot: true}, true, true},
	} {
		if got := add(t, g, step.event); got != step.crossed {
			t.Errorf("%s: crossed %+v", step.name, got)
		}
		if _, _, due := g.Due(key); due != step.due {
			t.Errorf("%s: a notice is due: %v", step.name, due)
		}
		if step.say {
			g.Notified(key)
		}
	}
}

// Where nobody knows the window, the context at which it was compacted automatically is.
func TestAWindowIsLearnt(t *testing.T) {
	dir := home.Dir(t.TempDir())
	g := &contextusage.Gauges{Windows: contextusage.Open(dir), Limits: contextusage.Limits{Notice: 70}}
	if got := add(t, g, used(900, 0)); got.Notice {
		t.Error("it is full, though nobody knows of what")
	}
	add(t, g, used(1000, 0), compacted("auto"))
	if got := contextusage.Open(dir).Of(transcript.UsageInfo{Context: 5, Model: "m"}); got != 1000 {
		t.Errorf("the window is %d", got)
	}
	if got := add(t, g, used(700, 0)); !got.Notice {
		t.Error("70 % of the learnt window are no crossing")
	}
	if got := g.Windows.Percent(transcript.UsageInfo{Context: 300, Window: 200}); got != 100 {
		t.Errorf("more than its window is %d %%", got)
	}
}

// A tool that reads a file is known from it until a turn has ended in which it
// asked its model with the file as it is.
func TestAFileIsReadAtTheEndOfATurn(t *testing.T) {
	g := gauges(t)
	record := func(id string) transcript.Located {
		event := used(75, 100)
		event.ID = id
		return event
	}
	add(t, g, record("a"), record("a"))
	g.Read(key)
	if _, _, due := g.Due(key); !due {
		t.Error("it counts as given before anything was asked")
	}
	add(t, g, record("b"))
	g.Read(key)
	if _, _, due := g.Due(key); due {
		t.Error("it gets once more")
	}
}
