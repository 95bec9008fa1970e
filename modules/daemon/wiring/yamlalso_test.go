package wiring_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// callTarget is a tool whose call out is a setting beside the list.
func callTarget(path string) wiring.Target {
	t := yamlTarget(path)
	t.Settings.Also = []toolspecs.Setting{
		{Key: "notifications", Value: "true"}, {Key: "notifications-command", Command: "{program} {tool} notifications-command </dev/null || true"},
	}
	return t
}

// A call out stands beside the list where the person has set none, and goes with it.
func TestYAML_SettingsBesideTheList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: commands are those of a POSIX shell")
	}
	call := "notifications: true\nnotifications-command: '\"" + program + "\" aider notifications-command </dev/null || true'\n"
	for name, test := range map[string]struct{ before, wired string }{
		"none yet":            {"model: gpt-5\n", "model: gpt-5\nread:\n  - " + word + "\n" + call},
		"beside a list":       {"read: [a.md]\n# mine\nmodel: gpt-5\n", "read: [a.md, " + word + "]\n# mine\nmodel: gpt-5\n" + call},
		"notified already":    {"notifications: true\n", "notifications: true\nread:\n  - " + word + "\n"},
		"a command of theirs": {"notifications: true\nnotifications-command: 'say done'\n", "notifications: true\nnotifications-command: 'say done'\nread:\n  - " + word + "\n"},
		"braces":              {"{model: gpt-5}\n", "{read: [" + word + "], model: gpt-5}\n"},
		"no file":             {"", "read:\n  - " + word + "\n" + call},
	} {
		t.Run(name, func(t *testing.T) {
			dir, path, record := home.Dir(t.TempDir()), filepath.Join(t.TempDir(), ".aider.conf.yml"), wiring.Record{}
			if test.before != "" {
				if err := os.WriteFile(path, []byte(test.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := wiring.Apply(dir, &record, callTarget(path), "0.86.2"); err != nil {
				t.Fatal(err)
			}
			data, _ := os.ReadFile(path)
			if string(data) != test.wired {
				t.Fatalf("it is\n%s\nwant\n%s", data, test.wired)
			}
			if again, err := wiring.Apply(dir, &record, callTarget(path), "0.86.2"); err != nil || again.Changed() {
				t.Errorf("a second time it changes: %v", err)
			}
			if strings.HasPrefix(test.wired, "{") {
				return
			}
			if err := os.WriteFile(path, append(data, "dark-mode: true\n"...), 0o600); err != nil { // edited since
				t.Fatal(err)
			}
			if _, err := wiring.Remove(&record, callTarget(path)); err != nil {
				t.Fatal(err)
			}
			if data, _ = os.ReadFile(path); string(data) != test.before+"dark-mode: true\n" {
				t.Errorf("taken out it is\n%s", data)
			}
		})
	}
}
