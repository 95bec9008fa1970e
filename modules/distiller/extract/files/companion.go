package files

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// companion is a distiller.Guess.
type companion struct {
	path  string
	calls int // when its neighbour was edited
	src   distiller.Source
}

// companions are the guesses from the files edited last, for the forms of test
// names that the session has seen.
func (f *Touched) companions(n *Named) []companion {
	var out []companion
	seen := map[string]bool{}
	for _, e := range f.ByPath {
		seen[e.form] = true
	}
	for _, named := range n.byPath {
		seen[named.form] = true
	}
	for _, e := range f.Sorted() {
		if e.EditSeq == 0 || e.Change == "delete" || !paths.Inside(e.Path) {
			continue
		}
		if len(out) == shownNamed {
			break
		}
		for _, p := range append(companionsOf(e.Path), f.pytest(e.Path)...) {
			if seen[testForm(p)] || seen[e.form] && testForm(p) == "" {
				out = append(out, companion{p, e.calls, e.Source})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b companion) int { return b.calls - a.calls })
	return out
}

// pytest guesses the test of a Python file: in the folder where the session
// last touched one.
func (f *Touched) pytest(p string) []string {
	if path.Ext(p) != ".py" || testForm(p) != "" || strings.HasPrefix(path.Base(p), "__") || path.Base(p) == "conftest.py" {
		return nil
	}
	for _, e := range f.Sorted() {
		if e.form == "test_.py" {
			return []string{path.Join(path.Dir(e.Path), "test_"+path.Base(p))}
		}
	}
	return nil
}

// testForm is how a test is named, "" for what is no test.
func testForm(p string) string {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, mark := range []string{"_test", ".test", ".spec", "_spec"} {
		if strings.HasSuffix(stem, mark) {
			return mark + path.Ext(base)
		}
	}
	if strings.HasPrefix(stem, "test_") {
		return "test_" + path.Ext(base)
	}
	return ""
}

// companionsOf are the places where the test of a file, or the file of a test,
// is found by the habits of its language.
func companionsOf(p string) []string {
	ext := path.Ext(p)
	stem := strings.TrimSuffix(p, ext)
	if form := testForm(p); form != "" {
		mark := strings.TrimSuffix(form, ext)
		if mark == "test_" {
			return nil // pytest keeps tests apart: the file may be anywhere
		}
		return []string{strings.TrimSuffix(stem, mark) + ext}
	}
	switch ext {
	case ".go":
		return []string{stem + "_test.go"}
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return []string{stem + ".test" + ext, stem + ".spec" + ext}
	case ".rb":
		return []string{"spec/" + strings.TrimPrefix(strings.TrimPrefix(stem, "app/"), "lib/") + "_spec.rb"}
	}
	return nil
}

// built are the names a bundler gives.
var built = lazyregexp.New(`(?:^|/)(?:chunks|_next|coverage)/|[-.][A-Za-z0-9_-]{8,}\.(?:js|css|map)$`)

func bundled(p string) bool { return built.MatchString(p) }
