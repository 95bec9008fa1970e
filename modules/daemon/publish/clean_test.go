package publish_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/publish"
)

// What was put into a project is removed again to the byte, and what a person wrote
// stays.
func TestClean_LeavesTheProjectAsItWas(t *testing.T) {
	for name, before := range map[string]map[string]string{
		"no file":      {},
		"title":        {"AGENTS.md": "# Rules\n\nBe kind.\n", ".gitignore": "bin/\n"},
		"no title":     {"AGENTS.md": "Be kind.\n"},
		"CRLF":         {"AGENTS.md": "# Rules\r\n\r\nBe kind.\r\n", ".gitignore": "bin/\r\n"},
		"a CLAUDE.md":  {"CLAUDE.md": "# Mine\n\nBe brief.\n"},
		"person's own": {".carryover/notes.md": "mine\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, nil)
			for file, text := range before {
				write(t, filepath.Join(dir, file), text)
			}
			p := open(t, dir)
			_, err := p.Handoff("text\n")
			if err == nil {
				_, err = p.Ledger("report\n", "")
			}
			if err == nil {
				err = p.Ignore()
			}
			if err == nil {
				_, err = p.Point(nil, true)
			}
			if err != nil {
				t.Fatal(err)
			}
			files := []string{"AGENTS.md", "CLAUDE.md"}
			if held, err := publish.Held(dir, files); err != nil || strings.Join(held, " ") != "AGENTS.md .gitignore .carryover/" {
				t.Errorf("held: %v (%v)", held, err)
			}
			if _, err := publish.Clean(dir, files); err != nil {
				t.Fatal(err)
			}
			after := map[string]string{}
			for _, file := range []string{"AGENTS.md", "CLAUDE.md", ".gitignore", ".carryover/notes.md", ".carryover/handoff.md"} {
				if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
					after[file] = string(data)
				}
			}
			for file, text := range before {
				if after[file] != text {
					t.Errorf("%s is %q, was %q", file, after[file], text)
				}
			}
			if len(after) != len(before) {
				t.Errorf("files are %v, were %v", after, before)
			}
			if _, err := os.Stat(filepath.Join(dir, ".carryover")); (err == nil) != (name == "person's own") {
				t.Errorf("the folder: %v", err)
			}
			if held, err := publish.Held(dir, files); err != nil || len(held) > 0 {
				t.Errorf("still held: %v (%v)", held, err)
			}
		})
	}
}

// A note that a person wrote into the session report is not removed with it.
func TestClean_KeepsNotesInTheReport(t *testing.T) {
	dir := repository(t, nil)
	if _, err := open(t, dir).Ledger("report\n", ""); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, ".carryover", "ledger.md")
	write(t, report, read(t, report)+"my note\n")
	if _, err := publish.Clean(dir, nil); err != nil {
		t.Fatal(err)
	}
	if text := read(t, report); !strings.Contains(text, "my note") {
		t.Errorf("the report is %q", text)
	}
}
