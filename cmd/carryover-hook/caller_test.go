package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// asAgent makes this test binary the agent that runs a hook.
const asAgent = "CARRYOVER_TEST_AS_AGENT"

// The command line of the agent, which runs its hooks in a shell, says whether
// anybody stays to answer.
func TestTheAgentsCommandLineIsFound(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("command lines of other programs are read on Linux only")
	}
	for _, run := range []struct {
		words []string
		mark  bool
	}{{[]string{"-p", "Do it."}, true}, {[]string{"-i", "Do it."}, false}} {
		spool := home.Dir(builds.home).Spool()
		t.Cleanup(func() { _ = os.RemoveAll(spool) })
		agent := exec.Command(os.Args[0], run.words...)
		agent.Env = append(os.Environ(), asAgent+"="+builds.hook)
		agent.Stdin = strings.NewReader(`{"session_id":"s","cwd":"/"}`)
		if out, err := agent.CombinedOutput(); err != nil {
			t.Fatalf("the agent ended with %v: %s", err, out)
		}
		notes, err := filepath.Glob(filepath.Join(spool, "*.json"))
		if err != nil || len(notes) != 1 {
			t.Fatalf("%d notes were left (%v)", len(notes), err)
		}
		note, err := os.ReadFile(notes[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(note), home.Unattended); got != run.mark {
			t.Errorf("started with %q it left %s", run.words, note)
		}
		_ = os.RemoveAll(spool)
	}
}

// runHook runs a hook as agents do.
func runHook(hook string) {
	cmd := exec.Command("sh", "-c", `"`+hook+`" gemini-cli BeforeAgent 2>/dev/null || true`)
	cmd.Stdin = os.Stdin
	_ = cmd.Run()
}
