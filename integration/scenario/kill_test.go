package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/carryover-go/carryover/integration/runner"
)

// Scenario 5: a daemon that is killed in the middle of reading ends with the
// same ledger as one that was never disturbed.
func TestKilledWhileReading(t *testing.T) {
	t.Parallel()
	h := runner.New(t, "")
	for i := range 12 {
		h.Write(filepath.Join(h.Dir, ".claude", "projects", "-p", fmt.Sprintf("00000000-0000-4000-8000-%012d.jsonl", i)), history(i, 500))
	}
	undisturbed := filepath.Join(h.Dir, "undisturbed")
	h.Must(h.Dir, "import", "--home", undisturbed)
	want := h.Must(h.Dir, "ledger", "digest", "--json", "--home", undisturbed).Stdout
	var digest struct {
		Events int `json:"events"`
	}
	runner.Output{Stdout: want}.JSON(t, &digest)
	total := digest.Events

	events := func() int {
		var status struct {
			Ledger struct {
				Events  int `json:"events"`
				Sources int `json:"sources"`
			} `json:"ledger"`
		}
		out := h.Carryover(h.Dir, "status", "--json")
		if out.Code != 0 {
			return 0
		}
		out.JSON(t, &status)
		return status.Ledger.Events
	}
	t.Cleanup(func() { h.Carryover(h.Dir, "daemon", "stop") })
	for kill := range 3 {
		h.Must(h.Dir, "daemon", "start")
		before := events()
		eventually(t, "the daemon reads on", func() bool { now := events(); return now > before || now == total })
		pid := h.DaemonPID()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the daemon is gone", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
		t.Logf("kill %d at %d events", kill+1, events())
	}
	h.Must(h.Dir, "daemon", "start")
	eventually(t, "everything is read", func() bool { return events() == total })
	if got := h.Digest(); got != want {
		t.Errorf("the digest is %s, undisturbed %s", got, want)
	}
}

// history is a session of Claude Code with n exchanges.
func history(session, n int) string {
	var b strings.Builder
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", session)
	for i := range n {
		at := fmt.Sprintf("2026-11-01T%02d:%02d:%02d.000Z", i/3600%24, i/60%60, i%60)
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%[1]d-%[2]d","sessionId":%[3]q,"timestamp":%[4]q,"cwd":"/home/dev/p%[1]d","version":"2.1.329","gitBranch":"main","message":{"role":"user","content":"look at part %[2]d of the work and say what it does"}}`+"\n", session, i, id, at)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%[1]d-%[2]d","sessionId":%[3]q,"timestamp":%[4]q,"cwd":"/home/dev/p%[1]d","version":"2.1.329","gitBranch":"main","message":{"id":"m%[2]d","role":"assistant","content":[{"type":"text","text":"Part %[2]d parses dates and returns a struct."}],"usage":{"input_tokens":%[2]d,"output_tokens":9}}}`+"\n", session, i, id, at)
	}
	return b.String()
}

// zombie says whether a killed process only waits to be collected.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
