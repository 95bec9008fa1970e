package publish_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/publish"
)

// What a section was put into is, once it is removed, what it was.
func TestASectionComesAndGoes(t *testing.T) {
	for name, text := range map[string]string{
		"own rules":       "# Rules\n\nBe brief.\n",
		"no last newline": "# Rules\n",
		"written on DOS":  "# Rules\r\n\r\nBe brief.\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "AGENTS.md")
			write(t, file, text)
			p := open(t, dir)
			for _, step := range []struct {
				text    string
				changed bool
			}{{"## Older\n", true}, {"## Ours\n\nSay it.\n", true}, {"## Ours\n\nSay it.\n", false}} {
				if changed, err := p.PutSection("AGENTS.md", step.text); err != nil || changed != step.changed {
					t.Errorf("put %q: changed %v, %v", step.text, changed, err)
				}
			}
			if changed, err := p.RemoveSection("AGENTS.md"); err != nil || !changed {
				t.Errorf("remove: changed %v, %v", changed, err)
			}
			if got, _ := os.ReadFile(file); string(got) != text {
				t.Errorf("the file is\n%q, was\n%q", got, text)
			}
		})
	}
}

func TestASectionAlone(t *testing.T) {
	dir := t.TempDir()
	p := open(t, dir)
	if _, err := p.PutSection("AGENTS.md", "## Ours\n"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "AGENTS.md")
	if got, _ := os.ReadFile(file); string(got) != "<!--CARRYOVER:CONTINUITY:START-->\n## Ours\n<!--CARRYOVER:CONTINUITY:END-->\n" {
		t.Errorf("the file is %q", got)
	}
	if _, err := p.RemoveSection("AGENTS.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error("an empty file is left")
	}
	write(t, file, "<!--CARRYOVER:CONTINUITY:START-->\nand no end\n")
	if _, err := p.PutSection("AGENTS.md", "## Ours\n"); !errors.Is(err, publish.ErrTorn) {
		t.Errorf("a section without an end: %v", err)
	}
}
