package paths_test

import (
	"slices"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
)

func TestEach_FindsPathsAndNoHosts(t *testing.T) {
	var got []string
	paths.Each("see src/cart.go:12 and (./main.py), not v1.2, node.js or github.com/a/b.go", func(p string, _ int) { got = append(got, p) })
	if want := []string{"src/cart.go", "main.py"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRel_IsRelativeToTheProject(t *testing.T) {
	r := paths.Resolver{Root: "/shop"}
	for given, want := range map[string]string{"/shop/src/a.go": "src/a.go", "/etc/hosts": "/etc/hosts", "/shop": "", "~/a.go": "~/a.go", "a\nb": ""} {
		if got := r.Rel(given, ""); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	if got := r.Rel("../b.go", "/shop/src/web"); got != "src/b.go" {
		t.Errorf("from another folder: %q", got)
	}
}

func TestOfCommand_TellsWhatACommandDoesToFiles(t *testing.T) {
	var got []string
	paths.OfCommand("cat a.go && mv b.go lib/ && sed -i s/x/y/ c.go > out.txt", func(change, p, _ string) { got = append(got, change+" "+p) })
	slices.Sort(got)
	if want := []string{"delete b.go", "edit c.go", "read a.go", "write lib/b.go", "write out.txt"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
