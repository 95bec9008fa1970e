package setup_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// VS Code runs the hooks of Copilot CLI's file: choosing it wires that file,
// also where there is no Copilot CLI, for as long as one of the two is chosen.
func TestAToolThatAnotherOnesEntriesServe(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("COPILOT_HOME", "")
	dir := home.Dir(filepath.Join(user, ".carryover"))
	client := filepath.Join(user, "client")
	if err := os.WriteFile(client, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	table, _ := toolspecs.Load(nil)
	options := func(tools ...string) setup.Options {
		o := setup.Options{Home: dir, HookBin: client, Now: time.Now()}
		for _, tool := range tools {
			spec, err := table.Lookup(tool)
			if err != nil {
				t.Fatal(err)
			}
			resolved, err := spec.Resolve(spec.Newest())
			o.Tools = append(o.Tools, setup.Detection{Spec: spec, Version: spec.Newest(), Resolved: resolved, Err: err})
		}
		return o
	}
	file := filepath.Join(user, ".copilot", "hooks", "carryover.json")
	check := func(wired bool, serves ...string) {
		t.Helper()
		record, _, err := wiring.ReadRecord(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); (err == nil) != wired {
			t.Errorf("the file is there: %v", err == nil)
		}
		if entry, _ := record.File(file); wired && (entry.Tool != "copilot-cli" || !slices.Equal(entry.Serves(), serves)) {
			t.Errorf("the record says %+v, want %v", entry, serves)
		}
	}

	outcomes, err := setup.Install(context.Background(), options("copilot-vscode"))
	if err != nil || outcomes[0].Err != nil || outcomes[0].Path != file || len(outcomes[0].Events) == 0 {
		t.Fatalf("the install of VS Code alone: %+v, %v", outcomes, err)
	}
	check(true, "copilot-vscode")
	for _, step := range []struct {
		tools []string
		wired bool
	}{
		{[]string{"copilot-cli", "copilot-vscode"}, true},
		{[]string{"copilot-cli"}, true},
		{[]string{"copilot-vscode"}, true},
		{nil, false},
	} {
		if _, err := setup.Refresh(context.Background(), table, options(step.tools...)); err != nil {
			t.Fatal(err)
		}
		check(step.wired, step.tools...)
	}
}
