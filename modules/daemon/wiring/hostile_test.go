package wiring_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// foreign is what another program has in the file, in the form of the tool.
const foreign = "other-manager run"

// settingsOf lists the settings files of all tools in all their versions that
// are edited, with what is wired in them.
func settingsOf(t *testing.T) map[string]wiring.Target {
	t.Helper()
	table, warnings := toolspecs.Load(nil)
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	targets := map[string]wiring.Target{}
	for _, spec := range table.All() {
		for _, versions := range spec.Versions {
			oldest := regexp.MustCompile(`[0-9]+[.][0-9.]+`).FindString(versions.Range)
			resolved, err := spec.Resolve(oldest)
			if err != nil {
				t.Fatalf("%s %s: %v", spec.Tool, oldest, err)
			}
			for i, settings := range resolved.Settings {
				// TOML has a table of its own, and a text is ours alone.
				if settings.Of == "" && (settings.Format == "json" || settings.Format == "yaml") {
					targets[fmt.Sprintf("%s %s %d", spec.Tool, oldest, i)] = wiring.Target{
						Tool: spec.Tool, Settings: settings, Hooks: resolved.Wired(), Program: program,
					}
				}
			}
		}
	}
	return targets
}

// plain is a file of the tool as another program and the user have left it.
func plain(target wiring.Target) string {
	if target.Settings.Format == "yaml" {
		return "model: \"grün\"\n" + target.Settings.Key + ":\n  - " + foreign + "\n"
	}
	var value any = []any{foreign}
	key := target.Settings.Key
	if target.Settings.Style != "list" {
		entry := any(map[string]any{"type": "command", "command": foreign})
		if target.Settings.Style != "hooks-list" {
			entry = map[string]any{"hooks": []any{entry}}
		}
		value = map[string]any{target.Hooks[0].Event: []any{entry}, "AnotherEvent": []any{entry}}
	}
	if key == "" {
		key = "hooks"
	}
	text, err := json.MarshalIndent(map[string]any{"model": "grün", key: value}, "", "   ")
	if err != nil {
		panic(err) // maps of strings
	}
	return string(text) + "\n"
}

// hostile makes files that are hard to edit. A file is accepted or refused as
// the tool would; nil leaves that open.
var hostile = map[string]func(target wiring.Target) (text string, accepted bool){
	"of another manager": func(target wiring.Target) (string, bool) { return plain(target), true },
	"comments": func(target wiring.Target) (string, bool) {
		if target.Settings.Format == "yaml" {
			return "# mine\n" + strings.Replace(plain(target), "- "+foreign, "- "+foreign+" # keep", 1) + "# end\n", true
		}
		text := strings.Replace(plain(target), "{\n", "{\n   // mine\n   /* \"hooks\": {} */\n", 1)
		return strings.Replace(text, "\"grün\",", "\"grün\", // keep", 1) + "// end\n", target.Settings.Comments
	},
	"comma after the last member": func(target wiring.Target) (string, bool) {
		if target.Settings.Format == "yaml" {
			return "{model: a, " + target.Settings.Key + ": [b, ], }\n", true
		}
		return `{"model": "a", "env": [1, 2,],}`, target.Settings.Comments
	},
	"byte order mark": func(target wiring.Target) (string, bool) {
		return "\xef\xbb\xbf" + plain(target), target.Settings.BOM
	},
	"CRLF": func(target wiring.Target) (string, bool) {
		return strings.ReplaceAll(plain(target), "\n", "\r\n"), true
	},
	"line ends of two kinds": func(target wiring.Target) (string, bool) {
		return strings.Replace(plain(target), "\n", "\r\n", 1), true
	},
	"no last newline": func(target wiring.Target) (string, bool) { return strings.TrimSuffix(plain(target), "\n"), true },
	"lines at the end": func(target wiring.Target) (string, bool) {
		return plain(target) + "\n\n", true
	},
	"empty": func(target wiring.Target) (string, bool) { return "", target.Settings.Empty },
	"white space": func(target wiring.Target) (string, bool) {
		return " \n\n", target.Settings.Empty
	},
	"nothing in it": func(wiring.Target) (string, bool) { return "{}", true },
	"cut off": func(target wiring.Target) (string, bool) {
		return strings.TrimRight(plain(target), "}]\n ") + `: [ "`, false
	},
	"merge conflict": func(target wiring.Target) (string, bool) {
		return "<<<<<<< HEAD\n" + plain(target) + "=======\n>>>>>>> theirs\n", false
	},
	"a list": func(wiring.Target) (string, bool) { return "[]\n", false },
	"zeros":  func(wiring.Target) (string, bool) { return strings.Repeat("\x00", 512), false },
	"huge": func(target wiring.Target) (string, bool) {
		if target.Settings.Format == "yaml" {
			return "set-env:\n" + strings.Repeat("  - KEY=a value of some length # and why\n", 5_000) + plain(target), true
		}
		return "{\"history\": [\n" + strings.Repeat("  {\"at\": 1.50, \"text\": \"a value of some length\"},\n", 5_000) + "  null],\n" + plain(target)[1:], true
	},
}

// What an uninstall gives back is what the install found, byte for byte, with
// its permissions; what the tool would not read is not touched at all.
func TestEverySettingsFileComesBack(t *testing.T) {
	for name, target := range settingsOf(t) {
		for what, content := range hostile {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				dir, record, target := home.Dir(t.TempDir()), wiring.Record{}, target
				target.Path = filepath.Join(t.TempDir(), "settings")
				text, accepted := content(target)
				write(t, target.Path, text)
				if err := os.Chmod(target.Path, 0o640); err != nil {
					t.Fatal(err)
				}
				change, err := wiring.Apply(dir, &record, target, "1.0.0")
				if accepted && (err != nil || !change.Changed()) || !accepted && !errors.Is(err, wiring.ErrRefused) {
					t.Fatalf("accepted should be %v, the error is %v", accepted, err)
				}
				if accepted {
					if again, err := wiring.Apply(dir, &record, target, "1.0.0"); err != nil || again.Changed() {
						t.Errorf("a second install changes the file again (%v)", err)
					}
					if _, err := wiring.Remove(&record, target); err != nil {
						t.Fatal(err)
					}
				}
				if got := read(t, target.Path); got != text {
					t.Errorf("the file holds\n%.500q\nand held\n%.500q", got, text)
				}
				if info, err := os.Stat(target.Path); err != nil || info.Mode().Perm() != 0o640 {
					t.Errorf("its mode is %v (%v)", info.Mode(), err)
				}
			})
		}
	}
}

// The same without the copy that was kept: the splices alone undo it. A file
// that held nothing may end as one that says so.
func TestTheSplicesAloneUndoTheInstall(t *testing.T) {
	for name, target := range settingsOf(t) {
		for what, content := range hostile {
			text, accepted := content(target)
			if !accepted || len(strings.TrimSpace(text)) == 0 {
				continue
			}
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				dir, record, target := home.Dir(t.TempDir()), wiring.Record{}, target
				target.Path = filepath.Join(t.TempDir(), "settings")
				write(t, target.Path, text)
				if _, err := wiring.Apply(dir, &record, target, "1.0.0"); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(record.Files[0].Backup); err != nil {
					t.Fatal(err)
				}
				if _, err := wiring.Remove(&record, target); err != nil {
					t.Fatal(err)
				}
				if got := read(t, target.Path); got != text {
					t.Errorf("the file holds\n%.800q\nand held\n%.800q", got, text)
				}
			})
		}
	}
}

// Another program rewrites the whole file after us, as such programs do,
// with an entry of its own behind ours: the uninstall takes ours alone.
func TestTwoManagersOfOneFile(t *testing.T) {
	for name, target := range settingsOf(t) {
		if target.Settings.Format != "json" || target.Settings.Style == "list" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir, record := home.Dir(t.TempDir()), wiring.Record{}
			target.Path = filepath.Join(t.TempDir(), "settings.json")
			event := target.Hooks[0].Event
			later := any(map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "late-manager"}}})
			write(t, target.Path, plain(target))
			want := added(t, target.Path, event, later)
			if _, err := wiring.Apply(dir, &record, target, "1.0.0"); err != nil {
				t.Fatal(err)
			}
			both, err := json.Marshal(added(t, target.Path, event, later))
			if err != nil {
				t.Fatal(err)
			}
			write(t, target.Path, string(both))
			change, err := wiring.Remove(&record, target)
			if err != nil {
				t.Fatal(err)
			}
			if change.Note == wiring.Kept {
				write(t, target.Path, strings.Replace(read(t, target.Path), `{"hooks":[]},`, "", 1))
			}
			if got := added(t, target.Path, event); !reflect.DeepEqual(got, want) {
				t.Errorf("left behind\n%v\nwant\n%v", got, want)
			}
		})
	}
}

// added is the file as a value, with entries at the end of an event.
func added(t *testing.T, path, event string, entries ...any) map[string]any {
	t.Helper()
	var settings map[string]any
	if err := json.Unmarshal([]byte(read(t, path)), &settings); err != nil {
		t.Fatal(err)
	}
	hooks := settings["hooks"].(map[string]any)
	hooks[event] = append(hooks[event].([]any), entries...)
	return settings
}

// A link stays a link, one to nothing is left alone, and so is a file that its
// owner has made read-only.
func TestEverySettingsFileBehindALinkOrLocked(t *testing.T) {
	for name, target := range settingsOf(t) {
		t.Run(name, func(t *testing.T) {
			dir, folder, record := home.Dir(t.TempDir()), t.TempDir(), wiring.Record{}
			dotfile := filepath.Join(folder, "dotfile")
			target.Path = filepath.Join(folder, "settings")
			if err := os.Symlink("dotfile", target.Path); err != nil {
				t.Fatal(err)
			}
			if _, err := wiring.Apply(dir, &record, target, "1.0.0"); !errors.Is(err, wiring.ErrRefused) {
				t.Errorf("a link to nothing: %v", err)
			}
			text := plain(target)
			write(t, dotfile, text)
			if _, err := wiring.Apply(dir, &record, target, "1.0.0"); err != nil {
				t.Fatal(err)
			}
			if read(t, dotfile) == text {
				t.Error("the file behind the link was not wired")
			}
			if _, err := wiring.Remove(&record, target); err != nil {
				t.Fatal(err)
			}
			if to, err := os.Readlink(target.Path); err != nil || to != "dotfile" || read(t, dotfile) != text {
				t.Errorf("the link leads to %q (%v), which holds %q", to, err, read(t, dotfile))
			}
			if err := os.Chmod(dotfile, 0o400); err != nil {
				t.Fatal(err)
			}
			if _, err := wiring.Apply(dir, &record, target, "1.0.0"); !errors.Is(err, wiring.ErrRefused) || read(t, dotfile) != text {
				t.Errorf("a read-only file: %v", err)
			}
			if _, known := record.File(target.Path); known {
				t.Error("what was refused is on record")
			}
			if left, _ := filepath.Glob(dir.Path("backups", "*")); len(left) > 0 {
				t.Errorf("copies are left: %v", left)
			}
		})
	}
}
