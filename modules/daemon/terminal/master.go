//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// master is our end of a program's terminal. Go's poller does not know of it:
// in a flood it would wake a second thread for each of some thirty thousand
// pieces, which takes longer than to copy them. A write gives up once it is
// closed: a child that stays behind may hold the terminal and never read.
type master struct {
	fd     int
	closed atomic.Bool
	use    sync.RWMutex // held to read while the descriptor is used, but by Read
}

// newMaster takes a terminal over.
func newMaster(file *os.File) (*master, error) {
	conn, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	m := &master{fd: -1}
	if controlled := conn.Control(func(fd uintptr) { m.fd, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); controlled != nil {
		return nil, controlled
	}
	if err != nil {
		return nil, fmt.Errorf("copy the descriptor of %s: %w", file.Name(), err)
	}
	if err := file.Close(); err != nil { // it leaves the poller with it
		return nil, errors.Join(err, m.Close())
	}
	return m, unix.SetNonblock(m.fd, true)
}

// Fd is its descriptor.
func (m *master) Fd() uintptr { return uintptr(m.fd) }

// Name is for error messages.
func (m *master) Name() string { return "the program's terminal" }

// Read reads what is there; at the end of a program it is EIO.
func (m *master) Read(buffer []byte) (int, error) {
	for {
		n, err := unix.Read(m.fd, buffer)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return 0, nil // who reads waits by itself
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// tryAgain is how often a write that finds no room looks whether the terminal
// was closed meanwhile.
const tryAgain = 100 * time.Millisecond

// Write types.
func (m *master) Write(text []byte) (written int, err error) {
	m.use.RLock()
	defer m.use.RUnlock()
	for written < len(text) {
		if m.closed.Load() {
			return written, os.ErrClosed
		}
		n, err := unix.Write(m.fd, text[written:])
		written += max(n, 0)
		switch {
		case err == nil || errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(m.fd), Events: unix.POLLOUT}}, int(tryAgain.Milliseconds()))
		default:
			return written, err
		}
	}
	return written, nil
}

// end lets whoever writes give up.
func (m *master) end() { m.closed.Store(true) }

// Close closes it. Who reads is who closes.
func (m *master) Close() error {
	m.end()
	m.use.Lock()
	defer m.use.Unlock()
	return unix.Close(m.fd)
}

// foreground is the process group that the terminal belongs to just now.
func (m *master) foreground() (int, error) {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed.Load() {
		return 0, os.ErrClosed
	}
	return unix.IoctlGetInt(m.fd, unix.TIOCGPGRP)
}

// resize tells the program, through the kernel, how large its terminal is.
func (m *master) resize(size *pty.Winsize) {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed.Load() {
		return
	}
	_ = unix.IoctlSetWinsize(m.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: size.Rows, Col: size.Cols, Xpixel: size.X, Ypixel: size.Y})
}
