package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A session in one part of a monorepo is given the work of that part, however much
// newer the work in another one is, and is told of the other where it has none.
func TestMonorepo_GivesTheWorkOfTheSamePart(t *testing.T) {
	const dates, prices = "Parse the dates of the log file", "Round the prices of the shop"
	for name, test := range map[string]struct {
		toml              string
		begins, also, dir string // where two sessions worked, the second later; where the third starts
		given, not, why   string
	}{
		"another part only":       {"", "apps/web", "", "apps/ops", "another part of it", dates, "another part of this project"},
		"the same, though older":  {"", "apps/web", "apps/ops", "apps/web/src", dates, prices, "a new session"},
		"the whole":               {"", "apps/web", "", "", dates, "another part", "a new session"},
		"work on the whole":       {"", "", "", "apps/ops", dates, "another part", "a new session"},
		"named parts":             {`parts = ["apps/*"]`, "apps/web/a", "", "apps/web/b", dates, "another part", "a new session"},
		"another named part":      {`parts = ["apps/*"]`, "apps/web", "", "apps/ops", "The other part: apps/web", dates, "another part of this project"},
		"outside all named parts": {`parts = ["apps/*"]`, "apps/web", "", "docs", dates, "another part", "a new session"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			if test.toml != "" {
				w.write(filepath.Join(w.project, ".carryover.toml"), test.toml)
			}
			for _, dir := range []string{test.begins, test.also, test.dir} {
				w.write(filepath.Join(w.project, dir, "note.txt"), "")
			}
			w.start()
			w.works(first, filepath.Join(w.project, test.begins), dates)
			w.ends(first, filepath.Join(w.project, test.begins))
			if test.also != "" {
				w.works(second, filepath.Join(w.project, test.also), prices)
				w.ends(second, filepath.Join(w.project, test.also))
			}
			text := w.starts(third, filepath.Join(w.project, test.dir), "startup")
			if !strings.Contains(text, test.given) || strings.Contains(text, test.not) {
				t.Errorf("given\n%s\nwant %q and not %q", text, test.given, test.not)
			}
			if got := w.why(third); !strings.Contains(got.Reason, test.why) {
				t.Errorf("decided %+v", got)
			}
			w.stop()
			if text := w.starts(fourth, filepath.Join(w.project, test.dir), "startup"); strings.Contains(text, test.not) {
				t.Errorf("without a daemon\n%s", text)
			}
		})
	}
}

const fourth = "44444444-0000-4000-8000-000000000004"

// Where a session ran in no part that the project names, its files say which it is of.
func TestMonorepo_FilesTellTheNamedPart(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.write(filepath.Join(w.project, ".carryover.toml"), `parts = ["apps/*"]`)
	w.write(filepath.Join(w.project, "apps", "ops", "note.txt"), "")
	w.start()
	w.worksOn(first, w.project, "Parse the dates of the log file", filepath.Join(w.project, "apps", "web", "parser.go"))
	w.ends(first, w.project)
	if text := w.starts(second, filepath.Join(w.project, "apps", "ops"), "startup"); !strings.Contains(text, "The other part: apps/web") {
		t.Errorf("given\n%s", text)
	}
	if text := w.starts(third, filepath.Join(w.project, "apps", "web"), "startup"); !strings.Contains(text, "Parse the dates") {
		t.Errorf("given\n%s", text)
	}
}
