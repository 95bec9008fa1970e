package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

var update = flag.Bool("update", false, "write session.jsonl and handoff.md again")

// golden compares a file of this folder with what the code gives now.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code gives now; look at it and run `go test ./demo -update`. It gives\n%s", name, got)
	}
}

func distil(t *testing.T) ingest.FileFacts {
	t.Helper()
	pipeline := daemon.WithoutLedger(home.Dir(t.TempDir()), func(err error) { t.Error(err) })
	file, err := pipeline.DistilFile("session.jsonl", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestTheSessionIsTheStory(t *testing.T) {
	var written bytes.Buffer
	if err := tell(&written); err != nil {
		t.Fatal(err)
	}
	golden(t, "session.jsonl", written.Bytes())
}

func TestEveryRecordIsKnown(t *testing.T) {
	file := distil(t)
	if c := file.Coverage; file.Tool != "claude-code" || c.Records < 140 || c.Read+c.Skipped != c.Records {
		t.Errorf("recognised as %s with coverage %+v", file.Tool, c)
	}
}

func TestTheHandoffTellsTheStory(t *testing.T) {
	text := render.Handoff(distil(t).Facts, render.Options{})
	golden(t, "handoff.md", []byte(text))
	for what, words := range map[string]string{
		"task":       "Now wire the rates into settle",
		"goal":       "Add currencies",
		"to do":      "todo: --in CUR for another one",
		"file":       "written this turn: money/money.go (Amount)",
		"failure":    "TestThreeWaySplit",
		"asked":      "Refuse and name the day",
		"block":      `"int64 of the smallest unit"`,
		"correction": "don't accept semicolons silently",
		"question":   "who should get the extra cent",
	} {
		if !strings.Contains(string(text), words) {
			t.Errorf("the %s %q is missing in\n%s", what, words, text)
		}
	}
	if text.Lines() > 46 || text.Bytes() > 8000 {
		t.Errorf("it has %d lines and %d bytes", text.Lines(), text.Bytes())
	}
}

// TestTheDemoRuns runs `make demo` without the build, on programs of its own.
func TestTheDemoRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	root := t.TempDir()
	for _, dir := range []string{"scripts", "demo", "bin"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"../scripts/demo": "scripts/demo", "session.jsonl": "demo/session.jsonl"} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, to), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(root, "bin"), "../cmd/carryover", "../cmd/carryoverd", "../cmd/carryover-hook")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	run := exec.Command("bash", filepath.Join(root, "scripts", "demo"))
	run.Env = append(os.Environ(), "TMPDIR="+root)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("it ended with %v\n%s", err, out)
	}
	if left, _ := filepath.Glob(filepath.Join(root, "carryover-demo.*")); len(left) > 0 {
		t.Errorf("it left %v behind", left)
	}
}
