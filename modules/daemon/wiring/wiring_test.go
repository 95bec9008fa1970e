package wiring_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

const program = "$HOME/.carryover/bin/carryover-hook"

func target(path string, settings toolspecs.Settings) wiring.Target {
	settings.Command = "{bin} {tool} {event} 2>/dev/null || true"
	return wiring.Target{
		Tool: "claude-code", Path: path, Settings: settings, Program: program,
		Hooks: []toolspecs.Hook{
			{Event: "SessionStart", Timeout: 5, Status: "Loading handoff"},
			{Event: "PostToolUse", Matcher: "Bash|Task", Timeout: 5},
			{Event: "Stop", Timeout: 5},
		},
	}
}

// lenient is a tool that reads what Claude Code reads.
var lenient = toolspecs.Settings{BOM: true, Empty: true, Removal: "cut"}

// settingsFiles are files as people have them. Every byte of each must come
// back.
var settingsFiles = map[string]string{
	"empty object":         "{}",
	"empty object, spaced": "{\n}\n",
	"empty file":           "",
	"compact":              `{"env":{"A":"1"},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
	"foreign hooks":        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"say done\"}\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
	"tabs":                 "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"SessionStart\": []\n\t}\n}\n",
	"odd spacing":          "{ \"b\" : 1 ,\n\n      \"a\":[ 1,2 ],   \"hooks\" : { \"Stop\" : [ ] } }\n\n",
	"CRLF":                 "{\r\n    \"model\": \"opus\",\r\n    \"hooks\": {\r\n        \"Stop\": [\r\n            {\"hooks\": []}\r\n        ]\r\n    }\r\n}\r\n",
	"byte order mark":      "\xef\xbb\xbf{\n  \"model\": \"opus\"\n}\n",
	"duplicate keys":       "{\"hooks\": {}, \"x\": 1, \"hooks\": {\"Stop\": []}}",
	"odd keys":             "{\"\": null, \"hooks\\u0020\": {}, \"😀\": [1e9, -0.0], \"//\": \"no comment\"}\n",
	"no last newline":      "{\n  \"model\": \"opus\"\n}",
}

func TestUninstallGivesBackTheBytes(t *testing.T) {
	for name, text := range settingsFiles {
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "settings.json"), wiring.Record{}
			write(t, path, text)
			if _, err := wiring.Apply(dir, &record, target(path, lenient), "2.1.329"); err != nil {
				t.Fatal(err)
			}
			wired := read(t, path)
			for _, event := range []string{"SessionStart", "PostToolUse", "Stop"} {
				if !strings.Contains(wired, `\"`+program+`\" claude-code `+event+" 2>/dev/null || true") {
					t.Errorf("%s is not wired in\n%s", event, wired)
				}
			}
			if strings.Contains(text, "\r\n") && strings.Count(wired, "\n") != strings.Count(wired, "\r\n") {
				t.Errorf("line ends are mixed:\n%q", wired)
			}
			again, err := wiring.Apply(dir, &record, target(path, lenient), "2.1.329")
			if err != nil || again.Changed() {
				t.Errorf("a second install changes the file again (%v)\n%s", err, again.After)
			}
			if _, err := wiring.Remove(&record, target(path, lenient)); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != text {
				t.Errorf("after the uninstall\n%q\nbut before the install\n%q", got, text)
			}
			if len(record.Files) != 0 {
				t.Errorf("the record still holds %v", record.Files)
			}
		})
	}
}

// When somebody else edited the file in between, only our part goes.
func TestUninstallKeepsWhatChangedSince(t *testing.T) {
	for name, text := range settingsFiles {
		if len(strings.TrimSpace(text)) == 0 {
			continue // there is nothing to keep
		}
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "settings.json"), wiring.Record{}
			write(t, path, text)
			if _, err := wiring.Apply(dir, &record, target(path, lenient), "2.1.329"); err != nil {
				t.Fatal(err)
			}
			wired := read(t, path)
			last := strings.LastIndex(wired, "}")
			write(t, path, wired[:last]+`,"mine":true`+wired[last:])
			if _, err := wiring.Remove(&record, target(path, lenient)); err != nil {
				t.Fatal(err)
			}
			got := read(t, path)
			if strings.Contains(got, "carryover") || !strings.Contains(got, `"mine":true`) {
				t.Errorf("after the uninstall: %q", got)
			}
			squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
			want := text[:strings.LastIndex(text, "}")] + `,"mine":true}`
			want = strings.Replace(want, "{,", "{", 1) // it was an empty object
			want = strings.Replace(want, "{\n,", "{", 1)
			if squeeze(got) != squeeze(want) {
				t.Errorf("after the uninstall\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// A file that was not there is removed again, with the folders made for it.
func TestUninstallRemovesWhatInstallCreated(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, ".codex", "hooks.json")
	dir, record := home.Dir(t.TempDir()), wiring.Record{}
	if _, err := wiring.Apply(dir, &record, target(path, toolspecs.Settings{}), "0.169.0"); err != nil {
		t.Fatal(err)
	}
	if _, err := wiring.Remove(&record, target(path, toolspecs.Settings{})); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("the folder is still there (%v)", err)
	}
}

// What the tool itself does not load is left alone and named.
func TestFilesTheToolRefusesAreLeftAlone(t *testing.T) {
	strict := toolspecs.Settings{}
	for name, file := range map[string]struct {
		text     string
		settings toolspecs.Settings
	}{
		"comment":                     {"{\n  // mine\n  \"a\": 1\n}\n", lenient},
		"trailing comma":              {`{"a": 1,}`, lenient},
		"broken":                      {`{"a": `, lenient},
		"a list":                      {`[1]`, lenient},
		"hooks is no object":          {`{"hooks": 1}`, lenient},
		"event is no list":            {`{"hooks": {"Stop": {}}}`, lenient},
		"byte order mark, strict":     {"\xef\xbb\xbf{}", strict},
		"white space instead of JSON": {"\n\n", strict},
	} {
		t.Run(name, func(t *testing.T) {
			path, record := filepath.Join(t.TempDir(), "settings.json"), wiring.Record{}
			write(t, path, file.text)
			_, err := wiring.Apply(home.Dir(t.TempDir()), &record, target(path, file.settings), "1.0.0")
			if !errors.Is(err, wiring.ErrRefused) || !strings.Contains(err.Error(), path) {
				t.Errorf("error is %v", err)
			}
			if got := read(t, path); got != file.text {
				t.Errorf("the file was changed to %q", got)
			}
		})
	}
}

// Codex ties the trust of every hook to its position, so a group of ours that
// others follow is emptied, not cut.
func TestAnEmptyGroupKeepsTheTrustOfTheOthers(t *testing.T) {
	settings := toolspecs.Settings{Removal: "empty-when-followed"}
	dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "hooks.json"), wiring.Record{}
	write(t, path, `{"hooks":{"Stop":[]}}`)
	if _, err := wiring.Apply(dir, &record, target(path, settings), "0.169.0"); err != nil {
		t.Fatal(err)
	}
	foreign := `{"hooks":[{"type":"command","command":"say done"}]}`
	wired := read(t, path)
	end := strings.Index(wired, "claude-code Stop")
	end += strings.Index(wired[end:], "]}") + len("]}")
	write(t, path, wired[:end]+","+foreign+wired[end:])
	change, err := wiring.Remove(&record, target(path, settings))
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); !strings.Contains(got, `[{"hooks":[]},`+foreign+`]`) {
		t.Errorf("after the uninstall: %s", got)
	}
	if change.Note != wiring.Kept {
		t.Errorf("nothing says why: %q", change.Note)
	}
}

// A settings file that is a link, as in a dotfiles repository, stays one; mode
// and content are its target's.
func TestLinksStayLinks(t *testing.T) {
	dir, folder, record := home.Dir(t.TempDir()), t.TempDir(), wiring.Record{}
	real, link := filepath.Join(folder, "dotfiles.json"), filepath.Join(folder, "settings.json")
	write(t, real, "{}\n")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if _, err := wiring.Apply(dir, &record, target(link, lenient), "2.1.329"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced by a file")
	}
	info, err := os.Stat(real)
	if err != nil || info.Mode().Perm() != 0o640 || !strings.Contains(read(t, real), "carryover-hook") {
		t.Errorf("the target has mode %v and holds %s", info.Mode(), read(t, real))
	}
}

// The other forms that settings have: entries without groups, a template for
// the entry, a word in a list, a file of our own, comments.
func TestOtherForms(t *testing.T) {
	flat := toolspecs.Settings{Style: "hooks-list", Handler: []byte(`{"type":"command","bash":"{command}","timeoutSec":"{seconds}"}`)}
	own := flat
	own.Own, own.Skeleton = true, []byte(`{"version":1,"hooks":{}}`)
	millis := toolspecs.Settings{Handler: []byte(`{"name":"{name}","type":"command","command":"{command}","timeout":"{milliseconds}"}`)}
	word := toolspecs.Settings{Style: "list", Key: "instructions", Entry: ".carryover/context.md", Comments: true}
	for name, test := range map[string]struct {
		settings     toolspecs.Settings
		before, want string // before "-": no file
	}{
		"entries without groups": {flat, `{"hooks":{"Stop":[{"type":"command","bash":"say done"}]}}`, `"timeoutSec":5}`},
		"a file of our own":      {own, "-", "\"version\": 1"},
		"milliseconds and names": {millis, "{\n  \"hooks\": {}\n}\n", `"timeout": 5000`},
		"a word in a list":       {word, "{\n  // mine\n  \"instructions\": [\n    \"rules.md\", // keep\n  ],\n}\n", `".carryover/context.md"`},
		"a list to be made":      {word, "{\n  // mine\n  \"model\": \"big\",\n}\n", `".carryover/context.md"`},
		"an empty list":          {word, "{\"instructions\": []}", `".carryover/context.md"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "settings.json"), wiring.Record{}
			if test.before != "-" {
				write(t, path, test.before)
			}
			for range 2 {
				if _, err := wiring.Apply(dir, &record, target(path, test.settings), "1.0.0"); err != nil {
					t.Fatal(err)
				}
			}
			wired := read(t, path)
			if strings.Count(wired, test.want) != map[bool]int{true: 1, false: 3}[test.settings.Style == "list" || test.settings.Own] {
				t.Errorf("%s stands %d times in\n%s", test.want, strings.Count(wired, test.want), wired)
			}
			// Somebody adds a member: the splices must undo it alone.
			edited := strings.Replace(wired, "{", `{"mine":true,`, 1)
			write(t, path, edited)
			if _, err := wiring.Remove(&record, target(path, test.settings)); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); strings.Contains(got, "carryover") || !strings.Contains(got, `{"mine":true,`) ||
				test.before != "-" && strings.Replace(got, `"mine":true,`, "", 1) != test.before {
				t.Errorf("after the uninstall\n%q\nbefore the install\n%q", got, test.before)
			}
		})
	}
}

func FuzzAddAndRemove(f *testing.F) {
	for _, text := range settingsFiles {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), "settings.json"), wiring.Record{}
		write(t, path, string(text))
		if _, err := wiring.Apply(dir, &record, target(path, lenient), "2.1.329"); err != nil {
			return
		}
		if _, err := wiring.Remove(&record, target(path, lenient)); err != nil {
			t.Fatal(err)
		}
		if got := []byte(read(t, path)); !bytes.Equal(got, text) {
			t.Errorf("got back\n%q\nfor\n%q", got, text)
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
