package quality_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/quality"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

// docs/quality.md is the floor: no figure of ours may fall below it. `make
// quality` rewrites it.
func TestFigures_AreNoneBelowTheReport(t *testing.T) {
	corpora := spectest.Corpora(t)
	labels := filepath.SplitList(os.Getenv("CARRYOVER_LABELS"))
	if len(labels) == 0 {
		t.Log("SKIPPED: the labels; CARRYOVER_LABELS names folders of them, separated as in PATH")
	}
	measured, err := quality.Measure(corpora, labels, false)
	if err != nil {
		t.Fatal(err)
	}
	drops, err := quality.Drops("../docs/quality.md", measured)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drops {
		t.Error(d)
	}
	for _, r := range measured.Checkpoints.Rows() {
		if r.Method == "carryover" && (r.Mean["nudge"] > 0 || r.Mean["lines"] > 46) {
			t.Errorf("%s: %.3f of the tasks are no requests, %.0f lines", r.Tool, r.Mean["nudge"], r.Mean["lines"])
		}
	}
}
