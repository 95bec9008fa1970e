package chaos

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// limitFiles bounds how far files of a running process may grow, in bytes.
func limitFiles(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: math.MaxUint64}
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if failed != 0 {
		t.Fatal(failed)
	}
}

// eventually waits for what a running daemon does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// A daemon for which the disk is full says so, and reads what was written
// meanwhile when there is room again, though nothing tells it.
func TestDaemon_ReadsOnWhenThereIsRoomAgain(t *testing.T) {
	b := newBox(t)
	random := rand.New(rand.NewPCG(1, 1))
	b.history(random, 2, 4)
	cmd := b.command(filepath.Join(b.bin, "carryoverd"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	eventually(t, "the daemon reads the history", func() bool {
		out, err := b.command(filepath.Join(b.bin, "carryover"), "stats").Output()
		return err == nil && strings.HasPrefix(string(out), "2 sessions")
	})
	limitFiles(t, cmd.Process.Pid, 4096)
	clock := func() time.Time { return time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC) }
	for number := 2; number < 6; number++ {
		b.write(transcriptOf(number), strings.Join(session(random, number, 40, b.path("proj"), clock), ""))
	}
	eventually(t, "the daemon says that there is no room", func() bool { return strings.Contains(b.run("status"), "no room") })
	limitFiles(t, cmd.Process.Pid, math.MaxUint64)
	want := b.undisturbed()
	eventually(t, "everything is read", func() bool { return b.digest() == want })
	eventually(t, "the daemon has room again", func() bool { return !strings.Contains(b.run("status"), "no room") })
}
