//go:build unix

package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// TestMain makes this binary the wrapper that the tests run: a wrapper needs a
// process and a terminal of its own.
func TestMain(m *testing.M) {
	switch os.Getenv("WRAPPER") {
	case "":
		os.Exit(m.Run())
	case "copying":
		os.Exit(copying(os.Args[1:]))
	}
	session, err := Start(Options{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		os.Exit(StatusOf(err))
	}
	os.Exit(session.Wait(nil).Status)
}

// wrapped is a program run by the wrapper, on a terminal that the test holds.
type wrapped struct {
	t     *testing.T
	cmd   *exec.Cmd
	outer *os.File // the terminal's far side
	inner *os.File // its near side, kept open to read its modes
	mu    sync.Mutex
	shown bytes.Buffer
	done  chan struct{}
}

func wrap(t *testing.T, args ...string) *wrapped {
	t.Helper()
	outer, inner, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(outer, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	w := &wrapped{t: t, outer: outer, inner: inner, cmd: wrapperCommand(args...), done: make(chan struct{})}
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = inner, inner, inner
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := outer.Read(buffer)
			w.mu.Lock()
			w.shown.Write(buffer[:n])
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { _ = w.cmd.Wait(); close(w.done) }()
	t.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		<-w.done
		_ = inner.Close()
		_ = outer.Close()
	})
	return w
}

func wrapperCommand(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "WRAPPER=1", "TERM=xterm-256color", "ENV=", "PS1=$ ")
	return cmd
}

func (w *wrapped) output() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shown.String()
}

func (w *wrapped) shows(text string) {
	w.t.Helper()
	within(w.t, "the terminal to show "+text+"; it shows\n"+w.output(), func() bool { return strings.Contains(w.output(), text) })
}

func (w *wrapped) types(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.outer, text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wrapped) ends(status int) {
	w.t.Helper()
	select {
	case <-w.done:
	case <-time.After(20 * time.Second):
		w.t.Fatalf("the wrapper goes on; the terminal shows\n%s", w.output())
	}
	if got := w.cmd.ProcessState.ExitCode(); got != status {
		w.t.Errorf("the wrapper ended with %d, want %d; the terminal shows\n%s", got, status, w.output())
	}
}

func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestStatusIsTheProgramsOwn(t *testing.T) {
	plain := t.TempDir() + "/plain"
	if err := os.WriteFile(plain, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
	}{
		{[]string{"true"}, 0},
		{[]string{"sh", "-c", "exit 7"}, 7},
		{[]string{"sh", "-c", "kill -9 $$"}, 137},
		{[]string{"sh", "-c", "kill -TERM $$"}, 143},
		{[]string{"no-such-program"}, NotFound},
		{[]string{plain}, NotExecutable},
	} {
		wrap(t, test.args...).ends(test.status)
	}
}

func TestBytesGoThroughUnchanged(t *testing.T) {
	w := wrap(t, "sh", "-c", `stty -opost; printf '\033[31mred\033[0m \033[?2004h\033[?1049hfull\033[?1049l\377 end'`)
	w.ends(0)
	want := "\x1b[31mred\x1b[0m \x1b[?2004h\x1b[?1049hfull\x1b[?1049l\xff end"
	within(t, "the terminal to get "+strconv.Quote(want), func() bool { return w.output() == want })
}

func TestSizeFollowsTheTerminal(t *testing.T) {
	w := wrap(t, "sh", "-c", `trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.02; done`)
	w.shows("30 100")
	if err := pty.Setsize(w.outer, &pty.Winsize{Rows: 41, Cols: 77}); err != nil {
		t.Fatal(err)
	}
	w.shows("41 77")
	w.ends(0)
}

func TestKeysAreTheProgramsAffair(t *testing.T) {
	w := wrap(t, "sh", "-c", `trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.02; done`)
	w.shows("ready")
	w.types("\x03")
	w.ends(5)
}

func TestSignalsToTheWrapperReachTheProgram(t *testing.T) {
	w := wrap(t, "sh", "-c", `trap 'echo told; exit 6' TERM; echo ready; while :; do sleep 0.02; done`)
	w.shows("ready")
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(6)
}

func TestJobsOfAShellInside(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: bash is not installed; job control was not tested")
	}
	w := wrap(t, "bash", "--norc", "-i")
	w.shows("$ ")
	w.types("sh -c 'echo as''leep; exec sleep 300'\n")
	w.shows("asleep")
	w.types("\x1a")
	w.shows("Stopped")
	w.types("kill %1; fg; echo went on\n")
	w.shows("went on\r\n")
	w.types("exit 3\n")
	w.ends(3)
}

func TestTheWrapperStopsWithItsProgram(t *testing.T) {
	w := wrap(t, "sh", "-c", `kill -STOP $$; echo woke`)
	within(t, "the wrapper to stop", func() bool { return stopped(w.cmd.Process.Pid) })
	if cooked(t, w.inner) != true {
		t.Error("the terminal is raw while the wrapper is stopped")
	}
	if err := w.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	w.shows("woke")
	w.ends(0)
}

// stopped asks the kernel without waiting for the process.
func stopped(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.HasPrefix(strings.TrimSpace(string(out)), "T")
}

func TestTerminalAfterTheProgramCrashed(t *testing.T) {
	w := wrap(t, "sh", "-c", `printf '\033[?1049h\033[?1003h\033[?2004h\033[?25l'; kill -9 $$`)
	w.ends(137)
	for _, undo := range []string{"\x1b[?1049l", "\x1b[?1003l", "\x1b[?2004l", "\x1b[?25h"} {
		within(t, "the terminal to receive "+strconv.Quote(undo), func() bool { return strings.Contains(w.output(), undo) })
	}
	if !cooked(t, w.inner) {
		t.Error("the terminal is still raw")
	}
}

func TestTerminalAfterTheWrapperWasKilled(t *testing.T) {
	w := wrap(t, "sh", "-c", `printf '\033[?1049hready'; exec sleep 300`)
	w.shows("ready")
	within(t, "a raw terminal", func() bool { return !cooked(t, w.inner) })
	if err := w.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	within(t, "the terminal to be put back", func() bool { return cooked(t, w.inner) })
	w.shows("1049;")
}

// cooked says whether a terminal echoes what is typed.
func cooked(t *testing.T, tty *os.File) bool {
	t.Helper()
	cmd := exec.Command("stty", "-a")
	cmd.Stdin = tty
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(out), " echo ") && strings.Contains(string(out), " icanon ")
}

func TestWithoutATerminal(t *testing.T) {
	cmd := wrapperCommand("sh", "-c", `cat; test -t 1 && echo terminal; echo wrong >&2; exit 4`)
	cmd.Stdin = strings.NewReader("through\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 4 {
		t.Fatalf("the wrapper ended with %v", err)
	}
	if out.String() != "through\n" || errs.String() != "wrong\n" {
		t.Errorf("stdout is %q, stderr %q", out.String(), errs.String())
	}
}

// copying is the least that a wrapper can be: a second terminal, and a loop
// that copies. It is the floor of BenchmarkThroughput.
func copying(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	tty, err := pty.Start(cmd)
	if err != nil {
		return OwnFailure
	}
	if _, err := term.MakeRaw(int(os.Stdout.Fd())); err != nil {
		return OwnFailure
	}
	_, _ = io.CopyBuffer(struct{ io.Writer }{os.Stdout}, struct{ io.Reader }{tty}, make([]byte, 64<<10)) // ends with EIO
	if cmd.Wait() != nil {
		return OwnFailure
	}
	return 0
}

// BenchmarkThroughput prints 100 MB to a terminal: bare, under a copy loop,
// which is what a second terminal costs whoever holds it, and wrapped.
func BenchmarkThroughput(b *testing.B) {
	print := []string{"sh", "-c", "yes 'the quick brown fox jumps over the lazy dog 0123456789' | head -c 100000000"}
	for _, way := range []struct {
		name, wrapper string
	}{{"bare", ""}, {"copied", "copying"}, {"wrapped", "1"}} {
		b.Run(way.name, func(b *testing.B) {
			for range b.N {
				cmd := exec.Command(print[0], print[1:]...)
				if way.wrapper != "" {
					cmd = wrapperCommand(print...)
					cmd.Env = append(cmd.Env, "WRAPPER="+way.wrapper)
				}
				tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
				if err != nil {
					b.Fatal(err)
				}
				n, _ := io.Copy(io.Discard, tty) // ends with EIO
				if err := cmd.Wait(); err != nil {
					b.Fatal(err)
				}
				_ = tty.Close()
				b.SetBytes(n)
				b.ReportMetric(float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())/float64(time.Millisecond), "cpu-ms")
			}
		})
	}
}
