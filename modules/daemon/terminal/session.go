//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// Session is a program that runs.
type Session struct {
	options  Options
	cmd      *exec.Cmd
	pid      int               // stays when the process is released
	pty      *master           // the program's terminal; nil without one
	output   cancelreader.File // what the program prints
	state    *term.State
	restorer *ttyRestorer
	buffered *outputBuffer
	screen   *Screen
	drawing  sync.WaitGroup
	input    sync.Mutex // what is typed by us is typed in one piece
	ended    atomic.Bool
}

// pipedWidth is the width of the screen on which the output of a program
// without a terminal is drawn: wide, so that lines stay whole.
const pipedWidth, pipedHeight = 1000, 60

// Start runs a program. StatusOf says what an error of it means for the
// wrapper's own status.
func Start(options Options) (*Session, error) {
	path, err := exec.LookPath(options.Args[0])
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", options.Args[0], err)
	}
	cmd := exec.Command(path)
	cmd.Args = options.Args
	cmd.Env = options.Env
	s := &Session{options: options, cmd: cmd, buffered: newOutputBuffer()}
	if options.Interactive() {
		err = s.startInTerminal()
	} else {
		err = s.startPiped()
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", options.Args[0], err)
	}
	s.pid = cmd.Process.Pid
	s.drawing.Go(s.draw)
	return s, nil
}

func (s *Session) startInTerminal() error {
	size, err := pty.GetsizeFull(s.options.Out)
	if err != nil {
		return fmt.Errorf("read the terminal's size: %w", err)
	}
	usable(size)
	opened, err := pty.StartWithSize(s.cmd, size)
	if err != nil {
		return err
	}
	if s.pty, err = newMaster(opened); err != nil {
		return errors.Join(err, s.cmd.Process.Kill())
	}
	s.output = s.pty
	s.screen = NewScreen(int(size.Cols), int(size.Rows))
	s.restorer = newTTYRestorer(s.options.In)
	if s.state, err = term.MakeRaw(int(s.options.In.Fd())); err != nil {
		return errors.Join(err, s.cmd.Process.Kill())
	}
	return nil
}

// The size of a terminal that has none: that of most programs without one. On a screen of
// no cells nothing could be read.
const noWidth, noHeight = 80, 24

// usable gives a terminal of no size one.
func usable(size *pty.Winsize) {
	if size.Cols == 0 || size.Rows == 0 {
		size.Cols, size.Rows = noWidth, noHeight
	}
}

func (s *Session) startPiped() error {
	read, write, err := pipe()
	if err != nil {
		return err
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = s.options.In, write, s.options.Err
	err = s.cmd.Start()
	_ = write.Close()
	if err != nil {
		_ = read.Close()
		return err
	}
	s.output = read
	s.screen = NewScreen(pipedWidth, pipedHeight)
	return nil
}

// pipe is os.Pipe without Go's poller, for the reason that master has.
func pipe() (read, write *os.File, err error) {
	var ends [2]int
	syscall.ForkLock.RLock() // no program may be started with them
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(ends[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	syscall.CloseOnExec(ends[0])
	syscall.CloseOnExec(ends[1])
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}

// Screen is what the program shows.
func (s *Session) Screen() *Screen { return s.screen }

// Interactive says whether text can be typed into the program.
func (s *Session) Interactive() bool { return s.pty != nil }

// Type types into the program, as the person does, unless MayType forbids it.
func (s *Session) Type(text string) error {
	s.input.Lock()
	defer s.input.Unlock()
	if err := s.MayType(); err != nil {
		return err
	}
	_, err := io.WriteString(s.pty, text)
	return err
}

// Signal sends a signal to the program and what it started. One that has ended
// gets none: its number may be another's.
func (s *Session) Signal(sig syscall.Signal) {
	if s.Running() {
		_ = syscall.Kill(s.target(), sig)
	}
}

// target is the program's process group where it has its own.
func (s *Session) target() int {
	if s.pty != nil {
		return -s.pid
	}
	return s.pid
}

// Wait copies until the program has ended, puts the person's terminal back and
// says how it ended. Signals that reach the wrapper meanwhile are passed on;
// the one that ended it, if one did, is known from received.
func (s *Session) Wait(received func(os.Signal)) Exit {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCONT, syscall.SIGUSR1, syscall.SIGUSR2)
	s.resize() // it may have changed since the program was started
	done := make(chan struct{})
	var passing sync.WaitGroup
	passing.Go(func() { s.passSignals(signals, done, received) })
	if s.pty != nil {
		stop := s.copyInput()
		defer stop()
	}
	copied, stopCopying := s.copyOutput()
	exit := s.reap()
	s.ended.Store(true)
	select { // what it printed last; a child that stays behind may hold the terminal
	case <-copied:
	case <-time.After(lastOutput):
	}
	stopCopying()
	signal.Stop(signals)
	close(done)
	passing.Wait()
	s.finish(exit)
	return exit
}

// lastOutput bounds how long output is waited for after a program's end.
const lastOutput = 500 * time.Millisecond

func (s *Session) finish(exit Exit) {
	s.buffered.close()
	s.drawing.Wait()
	if s.pty == nil {
		s.screen.Close()
		return
	}
	if exit.Crashed() {
		_, _ = io.WriteString(s.options.Out, s.screen.leftOver())
	}
	_ = term.Restore(int(s.options.In.Fd()), s.state)
	s.restorer.release()
	s.screen.Close()
}

// copyOutput is the way of the program's output, which it closes at its end.
// copied is closed when all is copied; stop ends it before that, but for a
// person's terminal that takes nothing just now.
func (s *Session) copyOutput() (copied <-chan struct{}, stop func()) {
	done := make(chan struct{})
	reader, err := newInterruptible(s.output)
	if err != nil {
		close(done)
		return done, func() {}
	}
	go func() {
		defer close(done)
		defer func() { reader.close(); _ = s.output.Close() }()
		buffer := make([]byte, 64<<10)
		for {
			n, err := reader.Read(buffer)
			if n > 0 {
				_, _ = s.options.Out.Write(buffer[:n]) // nobody to read it is no reason to stop the program
				s.buffered.add(buffer[:n])
			}
			if err != nil { // the end of a terminal is EIO, of a pipe EOF
				return
			}
		}
	}()
	return done, func() {
		if s.pty != nil {
			s.pty.end()
		}
		reader.interrupt()
	}
}

// copyInput is the way of what the person types. The returned function ends
// it, so that the next program gets the next key.
func (s *Session) copyInput() (stop func()) {
	reader, err := newInterruptible(s.options.In)
	if err != nil {
		return func() {}
	}
	var copying sync.WaitGroup
	copying.Go(func() {
		buffer := make([]byte, 4<<10)
		for {
			n, err := reader.Read(buffer)
			if n > 0 {
				s.input.Lock()
				_, _ = s.pty.Write(buffer[:n])
				s.input.Unlock()
			}
			if err != nil {
				return
			}
		}
	})
	return func() { reader.interrupt(); copying.Wait(); reader.close() }
}

func (s *Session) passSignals(signals <-chan os.Signal, done <-chan struct{}, received func(os.Signal)) {
	for {
		select {
		case <-done:
			return
		case sig := <-signals:
			switch sig {
			case syscall.SIGWINCH:
				s.resize()
			case syscall.SIGCONT:
				s.resume()
			default:
				if received != nil {
					received(sig)
				}
				if number, ok := sig.(syscall.Signal); ok {
					s.Signal(number)
				}
			}
		}
	}
}

func (s *Session) resize() {
	if s.pty == nil {
		return
	}
	size, err := pty.GetsizeFull(s.options.Out)
	if err != nil {
		return
	}
	usable(size)
	s.pty.resize(size)
	s.screen.resize(int(size.Cols), int(size.Rows))
}

// resume takes the terminal up again after the wrapper was stopped.
func (s *Session) resume() {
	if s.pty != nil {
		_, _ = term.MakeRaw(int(s.options.In.Fd()))
		s.resize()
	}
	s.Signal(syscall.SIGCONT)
}

// suspend stops the wrapper because its program stopped itself.
func (s *Session) suspend() {
	if s.pty != nil {
		_ = term.Restore(int(s.options.In.Fd()), s.state)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

// reap waits for the program's end, and stops with it.
func (s *Session) reap() Exit {
	for {
		var status syscall.WaitStatus
		_, err := syscall.Wait4(s.pid, &status, syscall.WUNTRACED, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return Exit{Status: OwnFailure}
		case status.Stopped():
			s.suspend()
		case status.Signaled():
			_ = s.cmd.Process.Release()
			return Exit{Status: 128 + int(status.Signal()), Signal: true}
		case status.Exited():
			_ = s.cmd.Process.Release()
			return Exit{Status: status.ExitStatus()}
		}
	}
}

// How long output must pause until the screen is looked at, how long it may go
// on without, and how long drawing rests in a flood and at least, in times of
// what it took: it must not take the processor from the program.
const (
	pause     = 40 * time.Millisecond
	atLeast   = 300 * time.Millisecond
	rest      = 150 * time.Millisecond
	restTimes = 4
)

// draw puts the output on the screen and tells that it changed. It sleeps
// while nothing comes.
func (s *Session) draw() {
	var looked time.Time
	changed := func() {
		looked = time.Now()
		if s.options.Changed != nil {
			s.options.Changed(s.screen)
		}
	}
	pending := time.NewTimer(time.Hour)
	pending.Stop()
	for {
		select {
		case <-s.buffered.wake:
		case <-pending.C:
			changed()
			continue
		}
		started := time.Now()
		output, much, closed := s.buffered.take()
		for len(output) > 0 {
			n := min(len(output), lastPart)
			s.screen.draw(output[:n])
			output = output[n:]
			if time.Since(looked) > atLeast {
				changed()
			}
		}
		if closed {
			changed()
			return
		}
		resting := min(restTimes*time.Since(started), rest)
		if much {
			resting = rest
		}
		select {
		case <-s.buffered.ended:
		case <-time.After(resting):
		}
		pending.Reset(pause)
	}
}

// Running says whether the program has not ended yet.
func (s *Session) Running() bool { return !s.ended.Load() }
