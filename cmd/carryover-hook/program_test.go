package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const prefix = "github.com/carryover-go/carryover/"

// builds are the client and the floor it is measured against, built as a
// release builds them. The client lies in the bin of a home, which it takes
// from the place it was started from.
var builds struct{ home, hook, floor string }

func TestMain(m *testing.M) {
	if hook := os.Getenv(asAgent); hook != "" {
		runHook(hook)
		return
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hook") // short: a socket lies in it
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		builds.home = filepath.Join(dir, "home")
		builds.hook = filepath.Join(builds.home, "bin", "carryover-hook")
		builds.floor = filepath.Join(dir, "floor")
		for out, source := range map[string]string{builds.hook: ".", builds.floor: "./testdata/floor"} {
			cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, source)
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
			if text, err := cmd.CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "build %s: %v\n%s", source, err, text)
				return 1
			}
		}
		return m.Run()
	}())
}

// The client is copied into every home and started at every hook.
func TestTheProgramIsSmall(t *testing.T) {
	const most = 10 << 20
	info, err := os.Stat(builds.hook)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB", float64(info.Size())/1e6)
	if info.Size() > most {
		t.Errorf("the client has %d bytes, more than %d", info.Size(), most)
	}
}

// Everything that the client imports costs time before its first line:
// net/http alone more than all that it does. Package redact compiles its rules when
// they are first used.
func TestTheClientImportsTheStandardLibraryOnly(t *testing.T) {
	for _, name := range dependencies(t, ".") {
		switch {
		case name == prefix+"cmd/carryover-hook", name == prefix+"modules/daemon/home", name == prefix+"modules/daemon/hookclient", name == prefix+"modules/daemon/regularfile",
			strings.HasPrefix(name, prefix+"modules/ledger/redact"):
		case name == "net/http", name == "os/exec":
			t.Errorf("the client imports %s", name)
		case strings.Contains(strings.SplitN(name, "/", 2)[0], "."):
			t.Errorf("the client imports %s", name)
		}
	}
}

// The commands know flags and words. How a ledger is stored, how HTTP is
// spoken and how a tool's line looks is known below them.
func TestTheCommandsKnowNoMachinery(t *testing.T) {
	forbidden := []string{"database/sql", "net", "net/http", "gorm.io/", "github.com/glebarez/", "modernc.org/", "github.com/gin-gonic/", "github.com/fsnotify/", prefix + "modules/ledger/sqlite", prefix + "toolspecs/tools/"}
	for _, command := range []string{"../carryover", "../carryoverd"} {
		for _, name := range imports(t, command) {
			if slices.ContainsFunc(forbidden, func(f string) bool {
				return name == f || strings.HasSuffix(f, "/") && strings.HasPrefix(name, f)
			}) {
				t.Errorf("%s imports %s", command, name)
			}
		}
	}
}

func dependencies(t *testing.T, of string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", of).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func imports(t *testing.T, of string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=Imports", of).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Imports []string }
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatal(err)
	}
	return list.Imports
}
