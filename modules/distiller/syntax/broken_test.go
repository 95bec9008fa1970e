//go:build cgo

package syntax_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/syntax"
)

// A file is broken when it does not parse after the edit and did before.
func TestAnEditThatBreaksItsFile(t *testing.T) {
	file := "package a\n\nfunc F() {\n\tif true {\n\t\tprint(1)\n\t}\n}\n"
	half := strings.Replace(file, "\t}\n", "", 1)
	got, ok := syntax.Annotate(edit("a.go", "\t\tprint(1)\n\t}\n}\n", "\t\tprint(1)\n}\n"), half)
	if !ok || !got.Code.Broken {
		t.Errorf("not broken: %+v", got.Code)
	}
	got, _ = syntax.Annotate(edit("a.go", "print(1)", "print(2)"), strings.Replace(file, "print(1)", "print(2)", 1))
	if got.Code.Broken || !got.Code.Whole {
		t.Errorf("broken: %+v", got.Code)
	}
}
