package coverage_test

import (
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/coverage"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A version is known by what it wrote that is read, beside what no spec knows; a new
// member of a known record is shown and loses nothing.
func TestOf_SaysWhatIsKnownOfEachVersion(t *testing.T) {
	tool := ledger.ToolCoverage{Tool: "codex"}
	tool.Coverage.Records = 100
	tool.Coverage.Unknown = map[string]map[string]int64{"0.155.0": {"world_state": 25, transcript.MemberPrefix + "effort": 40}}
	got := coverage.Of([]ledger.ToolCoverage{tool}, []ledger.Session{
		{SessionKey: ledger.SessionKey{Tool: "codex", ID: "a"}, Version: "0.155.0", Events: 75},
		{SessionKey: ledger.SessionKey{Tool: "codex", ID: "b"}, Version: "0.140.0", Events: 10},
		{SessionKey: ledger.SessionKey{Tool: "aider", ID: "c"}, Version: "0.86.2", Events: 10},
	})
	if len(got) != 1 || len(got[0].Versions) != 2 {
		t.Fatalf("got %+v", got)
	}
	for _, version := range got[0].Versions {
		if want := map[string]float64{"0.155.0": 75, "0.140.0": 100}[version.Version]; version.Known() != want {
			t.Errorf("%s is known by %.2f %%, want %.2f", version.Version, version.Known(), want)
		}
	}
}

func TestVersion_FoldsAllButTheMostFrequentKinds(t *testing.T) {
	v := coverage.Version{Unknown: make([]picture.Class, 7)}
	if len(v.Shown()) != 4 || len(v.Folded()) != 3 {
		t.Errorf("%d shown, %d folded", len(v.Shown()), len(v.Folded()))
	}
	v.Unknown = v.Unknown[:2]
	if len(v.Shown()) != 2 || len(v.Folded()) != 0 {
		t.Errorf("of two: %d shown, %d folded", len(v.Shown()), len(v.Folded()))
	}
}
