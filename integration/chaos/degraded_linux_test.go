package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serving starts a daemon and waits until it has read some sessions.
func (b *box) serving(cmd *exec.Cmd, sessions int) {
	b.t.Helper()
	if err := cmd.Start(); err != nil {
		b.t.Skip("it cannot be started so here: ", err)
	}
	b.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	eventually(b.t, "the daemon reads the history", func() bool {
		out, err := b.command(filepath.Join(b.bin, "carryover"), "stats").Output()
		return err == nil && strings.HasPrefix(string(out), fmt.Sprintf("%d session", sessions))
	})
}

// A session that starts while the disk is full is given the handoff that is known, by
// the daemon and not by what the hook client finds on the disk.
func TestDaemon_GivesHandoffsWhileTheDiskIsFull(t *testing.T) {
	b := newBox(t)
	for n := range 2 {
		b.write(transcriptOf(n), strings.Join(session(rand.New(rand.NewPCG(1, 1)), n, 4, b.path("proj"), time.Now), ""))
	}
	b.hookProgram()
	daemon := b.command(filepath.Join(b.bin, "carryoverd"))
	b.serving(daemon, 2)
	start := func(number int) string {
		cmd := b.command(b.path(".carryover/bin/carryover-hook"), "claude-code", "SessionStart")
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":"SessionStart","source":"startup"}`,
			sessionID(number), b.path(transcriptOf(number)), b.path("proj")))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return string(out)
	}
	limitFiles(t, daemon.Process.Pid, 4096)
	b.write(transcriptOf(2), strings.Join(session(rand.New(rand.NewPCG(2, 2)), 2, 40, b.path("proj"), time.Now), ""))
	eventually(t, "the daemon says that there is no room", func() bool { return strings.Contains(b.run("status"), "no room") })
	if err := os.RemoveAll(b.path(".carryover/handoffs")); err != nil {
		t.Fatal(err)
	}
	for number := 7; number < 10; number++ {
		if given := start(number); !strings.Contains(given, "## Next action") {
			t.Errorf("start %d is given %q", number, given)
		}
	}
	if out, _ := b.command(filepath.Join(b.bin, "carryover"), "doctor").Output(); !strings.Contains(string(out), "no room") {
		t.Errorf("doctor says\n%s", out)
	}
}

// Where the system gives too few file events, the daemon reads folders now and then, and
// status and doctor say so and what to raise.
func TestStatus_SaysThatFoldersCannotBeWatched(t *testing.T) {
	for _, limit := range []string{"max_inotify_watches", "max_inotify_instances"} {
		t.Run(limit, func(t *testing.T) {
			b := newBox(t)
			b.history(rand.New(rand.NewPCG(1, 1)), 2, 4)
			daemon := b.command("/bin/sh", "-c", "echo 0 >/proc/sys/user/"+limit+" && exec carryoverd")
			daemon.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			b.serving(daemon, 2)
			const words = "not all folders can be watched"
			if out := b.run("status"); !strings.Contains(out, words) || !strings.Contains(out, "they are read once a minute") {
				t.Errorf("status says\n%s", out)
			}
			out, _ := b.command(filepath.Join(b.bin, "carryover"), "doctor").Output()
			if !strings.Contains(string(out), words) || !strings.Contains(string(out), "fs.inotify.max_user_watches") {
				t.Errorf("doctor says\n%s", out)
			}
		})
	}
}
