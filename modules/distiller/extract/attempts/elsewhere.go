package attempts

import (
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// A linter or a formatter judges each file by itself: what it finds in files that nobody
// changed was there before. A compiler or a test may fail far from the change.

// complainsOf are the files of the project that a failing linter or formatter names, nil
// where its output is not there as a whole.
func complainsOf(e *timeline.Event) []string {
	if e.Verdict.Check != verdict.Lint && e.Verdict.Check != verdict.Format || compiles[e.ToolCall.Family] || cut(e) {
		return nil
	}
	var out []string
	paths.Each(e.Result.Text, func(p string, _ int) {
		if p = e.Paths.Rel(p, e.ToolCall.Info.Cwd); paths.Inside(p) {
			out = append(out, p)
		}
	})
	return out
}

// compiles are linters that compile first.
var compiles = map[string]bool{"go vet": true, "cargo clippy": true}

// Elsewhere says that all a check complains of are files that were not changed.
func (fl *Failure) Elsewhere(changed func(path string) bool) bool {
	for _, p := range fl.named {
		if changed(p) {
			return false
		}
	}
	return len(fl.named) > 0
}
