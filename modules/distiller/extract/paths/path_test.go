package paths_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

func TestEach_FindsPathsAndNoHosts(t *testing.T) {
	var got []string
	paths.Each("see src/cart.go:12 and (./main.py), not v1.2, 8.8.8.8/1.1.1.1, node.js or github.com/a/b.go", func(p string, _ int) { got = append(got, p) })
	if want := []string{"src/cart.go", "main.py"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEach_KeepsNamesWhole(t *testing.T) {
	for text, want := range map[string][]string{
		"app/learn/[course]/[id].tsx and [slug].tsx":    {"app/learn/[course]/[id].tsx", "[slug].tsx"},
		"see ([cart.go]), [src/a.go:3] or [b.go](x.go)": {"cart.go", "src/a.go"},
		`FAILED backend\tests\test_app.py::test_it`:     nil,
		`"a\nsrc/b.go\n"`:                            {"src/b.go"},
		"946→/shop/a.go: read → b.go":                {"/shop/a.go", "b.go"},
		"diff --git a/run.py b/run.py\n--- a/run.py": {"run.py", "run.py", "run.py"},
		"a/b.go stays":                               {"a/b.go"},
		"[a b].tsx":                                  nil,
		"refs/tags/v1.1 and refs/heads/fix.go":       nil,
		"acme/kit@0.62.1, man/git.1 and man/bzip2.1": {"man/git.1", "man/bzip2.1"},
		"grep -v _test.go":                           nil,
		`see account\_.authorize.tsx`:                nil,
		"请编写cart.go文件，见docs/说明.md":                   {"cart.go", "docs/说明.md"},
		"テストはcart_test.goにある":                        {"cart_test.go"},
	} {
		var got []string
		paths.Each(text, func(p string, _ int) { got = append(got, p) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
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
	for _, text := range []string{
		"cat a.go && mv b.go lib/ && git mv lib/d.go lib/sub . && sed -i s/x/y/ c.go > out.txt",
		"git mv lib/e.go .",
		"perl -0pi -e 's/a/b/' f.go && perl -i.bak -pe 's/a/b/' g.go && perl -ne 'print' h.go",
	} {
		for _, change := range paths.OfCommand(text, shell.Commands(text)) {
			got = append(got, strings.TrimSpace(change.Kind+" "+change.Path+" "+change.From))
		}
	}
	slices.Sort(got)
	if want := []string{"delete b.go", "delete lib/d.go", "delete lib/e.go", "delete lib/sub", "edit c.go", "edit f.go", "edit g.go", "move d.go lib/d.go", "move e.go lib/e.go", "move lib/b.go b.go", "move sub lib/sub", "read a.go", "write out.txt"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOfCommand_TellsWhatACommandLooksInto(t *testing.T) {
	for text, want := range map[string]string{
		"grep -n -A 3 total a.go": "a.go", "grep -e x -e y a.go": "a.go", "grep total": "", "grep -rn total src": "", "grep -c total a.go": "",
		"rg -l total a.go": "", "rg total a.go b.go": "", "jq -c .name a.json": "a.json", "awk -F , '{print $1}' a.csv": "a.csv",
		"git show main:src/a.go": "src/a.go", "git -C lib blame a.go": "a.go", "git log --oneline -- a.go": "", "git log -p -- a.go": "a.go",
		"git diff main -- a.go": "a.go", "git diff --name-only -- a.go": "", "git diff a.go b.go": "",
	} {
		var got []string
		for _, change := range paths.OfCommand(text, shell.Commands(text)) {
			got = append(got, change.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
