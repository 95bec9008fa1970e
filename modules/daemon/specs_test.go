package daemon_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
)

// A bundle of specs is in force on a running daemon without a restart:
// Run does not return, and a transcript in a folder that only the new specs name is read.
func TestSpecs_ChangeOnARunningDaemon(t *testing.T) {
	w := newWorld(t)
	w.start()
	bundle, err := toolspecs.NewBundle()
	if err != nil {
		t.Fatal(err)
	}
	bundle.Version = "9.0.1"
	bundle.Specs["claude-code"] = movedTo(t, bundle.Specs["claude-code"], "~/moved/projects")
	data, err := json.Marshal(bundle)
	if err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.home.Toolspecs(), filepath.FromSlash(toolspecs.BundleFile)), string(data))

	recorded, err := os.ReadFile(filepath.Join("..", "..", "toolspecs", "tools", "claude-code", "fixtures", "transcript", "work.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.user, "moved", "projects", "p", "c1a0de00-0000-4000-8000-000000000001.jsonl"), string(recorded))
	w.eventually("the transcript in the new folder is read", func() bool { return w.stored() != "" })
}

// movedTo is a spec whose transcripts lie elsewhere.
func movedTo(t *testing.T, spec json.RawMessage, root string) json.RawMessage {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(spec, &all); err != nil {
		t.Fatal(err)
	}
	for _, source := range all["transcripts"].([]any) {
		source.(map[string]any)["roots"] = map[string]any{"default": []any{root}}
	}
	moved, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return moved
}
