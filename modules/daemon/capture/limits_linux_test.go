package capture_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/capture"
)

// limited runs a test again in a user namespace of its own, in which one of the
// system's limits for file events is set. It says whether this is that run.
func limited(t *testing.T, limit, value string) bool {
	t.Helper()
	const inside = "CARRYOVER_TEST_LIMITED"
	if os.Getenv(inside) == limit {
		if err := os.WriteFile("/proc/sys/user/"+limit, []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"="+limit)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
	case strings.Contains(string(out), "=== RUN"):
		t.Errorf("with %s = %s:\n%s", limit, value, out)
	default:
		t.Skip("no user namespaces here: ", err)
	}
	return false
}

// Where the system gives no file events, or not enough, folders are read now and
// then, and it is said why.
func TestWatcher_PollsWithoutFileEvents(t *testing.T) {
	if limited(t, "max_inotify_instances", "0") {
		pollsFor(t, 1)
	}
}

func TestWatcher_PollsWhatCannotBeWatched(t *testing.T) {
	if limited(t, "max_inotify_watches", "3") {
		pollsFor(t, 8)
	}
}

// pollsFor watches a root with folders, and expects it to be read again.
func pollsFor(t *testing.T, folders int) {
	t.Helper()
	dir := t.TempDir()
	for i := range folders {
		if err := os.MkdirAll(filepath.Join(dir, string(rune('a'+i))), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	scanned := make(chan string, 16)
	w := &capture.Watcher{
		Roots: []capture.Root{{Tool: "codex", Path: dir}}, Logger: zap.NewNop(), Watching: make(chan struct{}), PollEvery: 10 * time.Millisecond,
		Changed: func(context.Context, string, string) {},
		Rescan: func(_ context.Context, root capture.Root) {
			select {
			case scanned <- root.Path:
			default:
			}
		},
	}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	<-w.Watching
	if w.Degraded() == "" {
		t.Error("nothing is said of it")
	}
	for range 2 {
		select {
		case path := <-scanned:
			if path != dir {
				t.Errorf("read %s", path)
			}
		case <-ctx.Done():
			t.Fatal("the folder is not read")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
