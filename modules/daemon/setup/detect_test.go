package setup_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// A program that is not on the PATH is found in the place its spec names.
func TestAProgramIsFoundInItsPlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the stand-in is a shell script")
	}
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("PATH", "/bin:/usr/bin")
	spec := &toolspecs.Spec{
		Tool: "editor", Name: "Editor",
		Detect: toolspecs.Detect{
			Binaries: []string{"an-editor"}, Version: []string{"--version"}, Pattern: `^([0-9.]+)`,
			Apps: map[string]string{runtime.GOOS: "~/Editor.app"},
		},
		Versions: []toolspecs.Range{{Range: ">=1.0.0, <=1.9.0"}},
	}
	if found := setup.Detect(context.Background(), spec); !errors.Is(found.Err, setup.ErrNotFound) {
		t.Fatalf("found %q (%v) before it is there", found.Binary, found.Err)
	}
	command := filepath.Join(user, "Editor.app", "Contents", "Resources", "app", "bin", "an-editor")
	if err := os.MkdirAll(filepath.Dir(command), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(command, []byte("#!/bin/sh\necho 1.5.0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if found := setup.Detect(context.Background(), spec); found.Binary != command || found.Version != "1.5.0" || found.Err != nil {
		t.Errorf("found %q, version %q (%v)", found.Binary, found.Version, found.Err)
	}
}
