package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is what each package of this program may import of it. What
// commands share stands in cli; commands know nothing of one another, and this
// package alone knows all of them.
var mayImport = map[string]string{
	"cli": "", "finder": "", "picker": "",

	"agents":       "cli finder",
	"installation": "cli picker",
	"keep":         "cli",
	"look":         "cli finder",
}

func TestImports_FollowTheMap(t *testing.T) {
	const internal = "github.com/carryover-go/carryover/cmd/carryover/internal/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	if err != nil {
		t.Fatalf("list the packages: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		from := strings.TrimPrefix(names[0], internal)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("package %q is not in the map", from)
		}
		for _, name := range names[1:] {
			if to, ours := strings.CutPrefix(name, internal); ours && !slices.Contains(strings.Fields(allowed), to) {
				t.Errorf("%q imports %q: the map in imports_test.go does not allow it", from, to)
			}
		}
	}
}
