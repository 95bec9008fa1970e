package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
)

// A hook that did not wait for the daemon leaves its envelope in the spool. A
// running daemon takes it from there, not only the next one.
func TestSpool_IsDrainedWhileTheDaemonRuns(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	note := filepath.Join(w.home.Spool(), fmt.Sprintf("%d-1.json", time.Now().UnixNano()))
	envelope := fmt.Sprintf(`{"tool":"claude-code","event":"Stop","session":%q,"transcript":%q,"cwd":%q,"time":%d}`,
		first, w.transcript(first), w.project, time.Now().UnixMilli())
	if err := os.WriteFile(note, []byte(envelope), 0o600); err != nil {
		t.Fatal(err)
	}
	w.eventually("the spool to be drained", func() bool {
		left, err := os.ReadDir(w.home.Spool())
		return err == nil && len(left) == 0
	})
}

// A project that excludes itself later has no handoff left in it.
func TestPublish_WithdrawsFromAnExcludedProject(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	stop := func() {
		w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	}
	stop()
	handoff := func() string {
		text, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "handoff.md"))
		return string(text)
	}
	w.eventually("the handoff to be published", func() bool { return strings.Contains(handoff(), "Parse the dates") })
	w.write(filepath.Join(w.project, ".carryover.toml"), "exclude = true\n")
	stop()
	w.eventually("the handoff to be withdrawn", func() bool { return !strings.Contains(handoff(), "Parse the dates") })
}

// Why no handoff is written into a project is said by status, until one is.
func TestStatus_SaysWhyAProjectIsNotWrittenInto(t *testing.T) {
	w := newWorld(t)
	w.install()
	folder := filepath.Join(w.project, ".carryover")
	if err := os.Symlink(t.TempDir(), folder); err != nil {
		t.Skip(err)
	}
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	stop := func() {
		w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	}
	said := func() bool {
		status, err := client.New(w.home).Status(t.Context())
		return err == nil && strings.Contains(strings.Join(status.Degraded, "\n"), ".carryover in "+w.project+" is a link")
	}
	stop()
	w.eventually("the reason to be said", said)
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	stop()
	w.eventually("it to be said no longer", func() bool { return !said() })
}
