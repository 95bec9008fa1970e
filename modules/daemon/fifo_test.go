//go:build unix

package daemon_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
)

// A FIFO in the place of one of Carryover's own files is never waited for: a command ends,
// with what it says or with an error.
func TestHome_AFIFOIsNotWaitedFor(t *testing.T) {
	for _, name := range []string{"config.toml", "damage.json", "installed.json", "token", "forgotten.key", "daemon.json", "hooks.json", "windows.json", "handoff.md", "spool/1.json"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			_ = w.opened().Store.Close()
			path := filepath.Join(string(w.home), name)
			_ = os.Remove(path)
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if p, err := daemon.OpenReadOnly(w.home, func(error) {}); err == nil {
					_, _ = p.Status(t.Context())
					_ = p.Store.Close()
				}
				if p, err := daemon.OpenReadWrite(w.home, func(error) {}); err == nil {
					_ = p.Store.Close()
				}
				_ = w.diagnosed("home")
			}()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				t.Error("it waits")
			}
		})
	}
}
