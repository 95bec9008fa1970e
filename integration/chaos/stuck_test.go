package chaos

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// besideStopped are the commands that are tried beside a daemon that does not answer.
var besideStopped = []string{
	"status", "status --tools", "status --why", "doctor", "search part", "show %", "handoff", "history", "projects", "stats", "seam %",
	"ledger digest", "ledger show %", "config", "toolspecs list", "version", "secrets",
	"dashboard --print", "import", "forget part", "forget part --yes", "dismiss %", "repair", "retire", "export --output /dev/null",
	"continuity ledger ada", "continuity handoffs ada", "continuity search part", "continuity clear ada", "continuity save --name ada",
	"projects move /nowhere /elsewhere", "switch codex", "daemon status", "daemon stop",
	"sessions", "open", "open --mark done %", "blame parser.go", "restore-file parser.go", "rescue %", "statusline", "why",
	"--since 7d", "export --bundle stuck.carryover", "retire --yes", "stats --effect", "toolspecs check", "projects merge /nowhere /elsewhere",
}

// A daemon that takes connections and never answers is not waited for by any
// command: three seconds, then it says so. The bound here is for a loaded machine.
func TestCommands_EndBesideAStoppedDaemon(t *testing.T) {
	const bound = 30 * time.Second
	b := newBox(t)
	b.history(rand.New(rand.NewPCG(1, 1)), 2, 2)
	b.run("import")
	cmd := b.command(filepath.Join(b.bin, "carryoverd"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(bound); !strings.Contains(b.run("status"), "running") && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, line := range besideStopped {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), bound)
			defer cancel()
			args := strings.Fields(strings.ReplaceAll(line, "%", sessionID(1)))
			one := b.command(filepath.Join(b.bin, "carryover"), args...)
			ended := make(chan error, 1)
			begin := time.Now()
			go func() {
				out, err := one.CombinedOutput()
				t.Logf("%6s %s: %.100s", time.Since(begin).Round(100*time.Millisecond), line, out)
				ended <- err
			}()
			select {
			case <-ended:
			case <-ctx.Done():
				if one.Process != nil {
					_ = one.Process.Kill()
				}
				t.Error(errors.Join(errors.New(line+" waits for the daemon"), <-ended))
			}
		})
	}
	all.Wait()
}
