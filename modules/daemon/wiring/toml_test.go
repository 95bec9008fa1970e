package wiring_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// tomlTarget is a tool whose hooks are tables of one list.
func tomlTarget(path string) wiring.Target {
	return wiring.Target{
		Tool: "kimi-code", Path: path, Program: program, Hooks: []toolspecs.Hook{{Event: "UserPromptSubmit", Timeout: 5}, {Event: "Stop", Timeout: 5}},
		Settings: toolspecs.Settings{Format: "toml", Style: "tables", Comments: true, Empty: true, Command: "{bin} {tool} {event} 2>/dev/null || true", Removal: "cut"},
	}
}

// wired are our tables as they stand in a file.
const wired = `
[[hooks]]
event = "UserPromptSubmit"
command = "\"` + program + `\" kimi-code UserPromptSubmit 2>/dev/null || true"
timeout = 5

[[hooks]]
event = "Stop"
command = "\"` + program + `\" kimi-code Stop 2>/dev/null || true"
timeout = 5
`

// tomlFiles are files as people have them, and what stands before our tables;
// "-" says that the file is refused.
var tomlFiles = map[string]struct{ before, rest string }{
	"no file":         {"", ""},
	"settings":        {"model = \"m\" # the big one\n", "model = \"m\" # the big one\n"},
	"no last newline": {"model = \"m\"", "model = \"m\"\n"},
	"hooks of theirs": {"[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n\n[loop]\nmax = 3\n", "[[hooks]]\nevent = \"Stop\"\ncommand = \"say done\"\n\n[loop]\nmax = 3\n"},
	"CRLF":            {"model = \"m\"\r\n", "model = \"m\"\r\n"},
	"an inline list":  {"hooks = [{event = \"Stop\", command = \"x\"}]\n", "-"},
	"another kind":    {"hooks = 3\n", "-"},
	"broken":          {"model = \n", "-"},
	"byte order mark": {"\xef\xbb\xbfmodel = \"m\"\n", "-"},
	"zeros":           {"\x00\x00\x00", "-"},
	"a text of lines": {"note = \"\"\"\n[[hooks]]\nnot a table\n\"\"\"\n", "note = \"\"\"\n[[hooks]]\nnot a table\n\"\"\"\n"},
}

func TestTOMLTablesAreAddedAndRemoved(t *testing.T) {
	for name, test := range tomlFiles {
		t.Run(name, func(t *testing.T) {
			dir := home.Dir(t.TempDir())
			target := tomlTarget(filepath.Join(t.TempDir(), "config.toml"))
			if test.before != "" {
				put(t, target.Path, test.before)
			}
			var record wiring.Record
			for range 2 { // the second time nothing changes
				_, err := wiring.Apply(dir, &record, target, "2.1.0")
				if test.rest == "-" {
					if !errors.Is(err, wiring.ErrRefused) {
						t.Fatalf("it was not refused: %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				want := test.rest + wired
				if strings.Contains(test.before, "\r\n") {
					want = test.rest + strings.ReplaceAll(wired, "\n", "\r\n")
				}
				if got := contents(t, target.Path); got != want {
					t.Fatalf("it holds\n%s\nwant\n%s", got, want)
				}
			}
			if events, err := wiring.InstalledEntries(target); err != nil || strings.Join(events, " ") != "UserPromptSubmit Stop" {
				t.Errorf("standing are %q, %v", events, err)
			}
			if _, err := wiring.Remove(&record, target); err != nil {
				t.Fatal(err)
			}
			if got := contents(t, target.Path); got != test.before {
				t.Errorf("after the removal it holds %q, want %q", got, test.before)
			}
		})
	}
}

// What the person wrote since stays, between our tables and behind them.
func TestTOMLRemovalKeepsWhatChangedSince(t *testing.T) {
	dir, target := home.Dir(t.TempDir()), tomlTarget(filepath.Join(t.TempDir(), "config.toml"))
	put(t, target.Path, "model = \"m\"\n")
	var record wiring.Record
	if _, err := wiring.Apply(dir, &record, target, "2.1.0"); err != nil {
		t.Fatal(err)
	}
	put(t, target.Path, contents(t, target.Path)+"\n# mine\n[loop]\nmax = 3\n")
	if _, err := wiring.Remove(&record, target); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, target.Path), "model = \"m\"\n\n# mine\n[loop]\nmax = 3\n"; got != want {
		t.Errorf("it holds %q, want %q", got, want)
	}
}

// A file of ours alone is written whole and removed whole; one that somebody
// else wrote under its name is left alone.
func TestATextOfOurs(t *testing.T) {
	target := wiring.Target{
		Tool: "pi", Path: filepath.Join(t.TempDir(), "extensions", "carryover.js"), Program: program,
		Hooks:    []toolspecs.Hook{{Event: "session_start"}, {Event: "agent_end"}},
		Settings: toolspecs.Settings{Format: "text", Own: true, Lines: []string{"// ours", `run("{program}", "{tool}");`, `on("session_start");`}},
	}
	var record wiring.Record
	if _, err := wiring.Apply(home.Dir(t.TempDir()), &record, target, "0.87.1"); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, target.Path), "// ours\nrun(\""+program+"\", \"pi\");\non(\"session_start\");\n"; got != want {
		t.Errorf("it holds\n%s\nwant\n%s", got, want)
	}
	if events, err := wiring.InstalledEntries(target); err != nil || strings.Join(events, " ") != "session_start" {
		t.Errorf("standing are %q, %v", events, err)
	}
	if _, err := wiring.Remove(&record, target); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(target.Path)); err == nil {
		t.Error("the folder that was made for it is still there")
	}
	put(t, target.Path, "// mine\n")
	if _, err := wiring.Apply(home.Dir(t.TempDir()), &record, target, "0.87.1"); !errors.Is(err, wiring.ErrRefused) {
		t.Errorf("another's file: %v", err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}
