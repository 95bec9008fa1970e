package terminal

import (
	"errors"
	"os"
	"syscall"
)

// Session is a program that runs. There is none on Windows yet.
type Session struct{}

// Start fails: pseudo-terminals of Windows are not supported yet.
func Start(Options) (*Session, error) {
	return nil, errors.New("carryover run is not supported on Windows: start the program directly")
}

// Screen is what the program shows.
func (*Session) Screen() *Screen { return nil }

// Interactive says whether text can be typed into the program.
func (*Session) Interactive() bool { return false }

// InFront says whether the program has the terminal.
func (*Session) InFront() bool { return false }

// MayType says why nothing can be typed.
func (*Session) MayType() error { return errors.ErrUnsupported }

// Type types into the program, as the person does.
func (*Session) Type(string) error { return errors.ErrUnsupported }

// Signal sends a signal to the program and what it started.
func (*Session) Signal(syscall.Signal) {}

// Wait waits for the program's end.
func (*Session) Wait(func(os.Signal)) Exit { return Exit{Status: OwnFailure} }

// Running says whether the program has not ended yet.
func (*Session) Running() bool { return false }
