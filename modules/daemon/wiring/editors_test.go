package wiring_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// editorsHere are the editors of a throw-away home, and a spec that speaks the protocol.
func editorsHere(t *testing.T) (map[string]wiring.Editor, []*toolspecs.Spec) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	table, _ := toolspecs.Load(nil)
	gemini, err := table.Lookup("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]wiring.Editor{}
	for _, editor := range wiring.Editors() {
		all[editor.Name] = editor
	}
	return all, []*toolspecs.Spec{gemini}
}

// An editor's settings get our agents by a splice, once, and are byte for byte what they
// were after the removal.
func TestEditor_ItsSettingsAreSpliced(t *testing.T) {
	for name, before := range map[string]string{
		"comments": "{\n  // the person's\n  \"theme\": \"One Dark\", // dark\n  \"agent_servers\": {\n    \"Mine\": { \"type\": \"custom\", \"command\": \"mine\" }\n  },\n}\n",
		"plain":    "{\n    \"theme\": \"One\"\n}",
	} {
		t.Run(name, func(t *testing.T) {
			editors, specs := editorsHere(t)
			zed := editors["zed"]
			if err := os.MkdirAll(filepath.Dir(zed.Path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(zed.Path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			change, err := wiring.PlanEditor(zed, specs, "/usr/bin/carryover")
			if err != nil || !strings.Contains(string(change.After), `"Gemini CLI (Carryover)": {`) || !strings.Contains(string(change.After), `"acp",`) {
				t.Fatalf("%v\n%s", err, change.After)
			}
			if err := wiring.WriteEditor(home.Dir(t.TempDir()), change); err != nil {
				t.Fatal(err)
			}
			if again, err := wiring.PlanEditor(zed, specs, "/usr/bin/carryover"); err != nil || again.Changed() {
				t.Errorf("added twice: %v\n%s", err, again.After)
			}
			back, err := wiring.PlanEditorRemoval(zed)
			if err != nil || string(back.After) != before {
				t.Errorf("%v, put back is\n%s\nnot\n%s", err, back.After, before)
			}
		})
	}
}

// A file that the editor would refuse stays as it is.
func TestEditor_ABrokenFileIsLeftAlone(t *testing.T) {
	editors, specs := editorsHere(t)
	path := editors["jetbrains"].Path
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{\"agent_servers\": ["), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := wiring.PlanEditor(editors["jetbrains"], specs, "carryover"); err == nil {
		t.Error("a broken file is changed")
	}
}
