package terminal

import (
	"errors"
	"io/fs"
	"os/exec"
)

// The statuses with which a wrapper ends when the program did not run, as
// shells and env(1) have them.
const (
	OwnFailure    = 125 // the wrapper itself failed
	NotExecutable = 126 // the program is there and cannot be run
	NotFound      = 127 // there is no such program
)

// Exit is how a program ended.
type Exit struct {
	Status int  // as a shell gives it: 128 and the number for a signal
	Signal bool // ended by a signal
}

// Crashed says that the program did not end by its own good will.
func (e Exit) Crashed() bool { return e.Status != 0 }

// StatusOf is the status for an error of Start.
func StatusOf(err error) int {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return NotFound
	case errors.Is(err, fs.ErrPermission):
		return NotExecutable
	}
	return OwnFailure
}
