package wiring_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Where a user or an administrator keeps hooks from running is found, and named.
func TestHooksOff_NamesWhereHooksAreSwitchedOff(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	managed := spec.HookSwitches[1].Paths["default"]
	if !strings.HasPrefix(managed[0], "/etc/claude-code/") {
		t.Fatalf("managed settings are looked for in %v", managed)
	}
	own := *spec
	own.HookSwitches = append([]toolspecs.HookSwitch{}, spec.HookSwitches...)
	for i := range own.HookSwitches { // the administrator's files, where the test may write them
		paths := own.HookSwitches[i].Paths["default"]
		own.HookSwitches[i].Paths = map[string][]string{"default": nil}
		for _, path := range paths {
			own.HookSwitches[i].Paths["default"] = append(own.HookSwitches[i].Paths["default"], strings.Replace(path, "/etc/", "~/etc/", 1))
		}
	}
	file := func(name string) string { return filepath.Join(user, filepath.FromSlash(name)) }
	for _, c := range []struct {
		path, text string
		want       string
	}{
		{".claude/settings.json", `{"hooks": {}}`, ""},
		{".claude/settings.json", `{"disableAllHooks": false}`, ""},
		{".claude/settings.json", `{"disableAllHooks": "true"}`, ""},
		{".claude/settings.json", `no JSON "disableAllHooks": true`, ""},
		{".claude/settings.json", `{"disableAllHooks": true}`, "disableAllHooks in " + file(".claude/settings.json")},
		{"etc/claude-code/managed-settings.json", `{"disableAllHooks": true}`, "disableAllHooks in " + file("etc/claude-code/managed-settings.json")},
		{"etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly in " + file("etc/claude-code/managed-settings.json")},
		{"etc/claude-code/managed-settings.d/10-hooks.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly in " + file("etc/claude-code/managed-settings.d/10-hooks.json")},
		{".claude/settings.json", `{"allowManagedHooksOnly": true}`, ""},
	} {
		if err := os.MkdirAll(filepath.Dir(file(c.path)), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file(c.path), c.text)
		off := strings.Join(wiring.HooksOff(&own), "\n")
		if (off == "") != (c.want == "") || !strings.Contains(off, c.want) {
			t.Errorf("%s with %s: %q", c.path, c.text, off)
		}
		if err := os.Remove(file(c.path)); err != nil {
			t.Fatal(err)
		}
	}
}
