package lazyregexp_test

import (
	"regexp"
	"testing"

	_ "github.com/carryover-go/carryover/modules/distiller/compaction"
	_ "github.com/carryover-go/carryover/modules/distiller/extract"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	_ "github.com/carryover-go/carryover/modules/distiller/render"
	_ "github.com/carryover-go/carryover/modules/distiller/syntax"
)

// A pattern with a mistake would stop a command or the daemon at its first use.
func TestAll_PatternsOfTheDistillerCompile(t *testing.T) {
	all := lazyregexp.All()
	if len(all) < 100 {
		t.Fatalf("%d patterns: a package is not linked in", len(all))
	}
	for _, r := range all {
		if _, err := regexp.Compile(r.String()); err != nil {
			t.Error(err)
		}
	}
}
