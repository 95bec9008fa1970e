package distiller_test

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is the map of this module: what each package may import of it. A
// package stands below all that import it, so no arrow goes up. Whoever adds a
// line decides about the structure of the distiller.
var mayImport = map[string]string{
	".": "",

	// What text, commands and results say, whatever session they are of.
	"words":   "",
	"shell":   "",
	"syntax":  "",
	"verdict": "shell",

	// The fold, leaves first.
	"extract/prose":    "",
	"extract/bounded":  ".",
	"extract/paths":    "extract/prose shell",
	"extract/output":   "extract/prose verdict",
	"extract/dialogue": ". extract/bounded extract/output extract/prose words",
	"extract/advice":   "extract/bounded extract/prose",
	"extract/checks":   "extract/output verdict",
	"extract/timeline": ". extract/advice extract/bounded extract/checks extract/dialogue extract/output extract/paths extract/prose shell verdict words",

	// The sections of a handoff; none knows another.
	"extract/attempts":   ". extract/bounded extract/output extract/paths extract/prose extract/timeline shell verdict",
	"extract/files":      ". extract/bounded extract/output extract/paths extract/prose extract/timeline shell verdict",
	"extract/plans":      ". extract/bounded extract/dialogue extract/timeline",
	"extract/repository": ". extract/bounded extract/output extract/prose extract/timeline shell words",
	"extract/statements": ". extract/bounded extract/dialogue extract/prose extract/timeline shell words",

	// The last steps as they were.
	"extract/trail": ". extract/attempts extract/bounded extract/files extract/output extract/paths extract/prose extract/timeline verdict",

	// The state of a session knows them all.
	"extract": ". extract/attempts extract/bounded extract/checks extract/dialogue extract/files extract/output extract/paths extract/plans extract/prose extract/repository extract/statements extract/timeline extract/trail shell verdict words",

	// What is made of facts.
	"compaction": ".",
	"render":     ". internal/width",

	// Regular expressions: every package may import it.
	"internal/lazyregexp": "",

	// Text within so many runes.
	"internal/width": "",

	// Help for tests.
	"internal/script": "",
}

const module = "github.com/carryover-go/carryover/modules/distiller"

func TestImports_FollowTheMap(t *testing.T) {
	seen := map[string]bool{}
	eachImport(t, func(from, name string) {
		seen[from] = true
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("package %q is not in the map", from)
		} else if to, ours := strings.CutPrefix(name, module); ours && to != "/internal/lazyregexp" && !slices.Contains(strings.Fields(allowed), cmp.Or(strings.TrimPrefix(to, "/"), ".")) {
			t.Errorf("%q imports %q: the map in imports_test.go does not allow it", from, name)
		}
	})
	for from := range maps.Keys(mayImport) {
		if !seen[from] {
			t.Errorf("package %q of the map is gone", from)
		}
	}
}

// eachImport yields the imports of every file outside tests, by the folder of
// its package, and "" for a file that imports nothing.
func eachImport(t *testing.T, yield func(from, name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		yield(path.Dir(file), "")
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			yield(path.Dir(file), name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
