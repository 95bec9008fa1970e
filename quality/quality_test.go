package quality_test

import (
	"testing"

	"github.com/carryover-go/carryover/quality"
	"github.com/carryover-go/carryover/toolspecs/spectest"
)

// docs/quality.md is the floor: no figure of ours may fall below it. `make
// quality` writes it anew.
func TestNoFigureDrops(t *testing.T) {
	table, err := quality.Measure(spectest.Corpus(t))
	if err != nil {
		t.Fatal(err)
	}
	drops, err := quality.Drops("../docs/quality.md", table)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drops {
		t.Error(d)
	}
	for _, r := range table.Rows() {
		if r.Method == "carryover" && (r.Mean["nudge"] > 0 || r.Mean["lines"] > 46) {
			t.Errorf("%s: %.3f of the tasks are no requests, %.0f lines", r.Tool, r.Mean["nudge"], r.Mean["lines"])
		}
	}
}
