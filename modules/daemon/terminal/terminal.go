// Package terminal runs a program in a pseudo-terminal as if nobody stood
// between: bytes go through unchanged in both directions, and so do the size,
// the signals and the exit status. Beside that way, never in it, the output is
// drawn on a virtual screen, where what the program shows can be read, and
// text can be typed into the program.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// Options of a program to be run.
type Options struct {
	Args []string // the program and its arguments
	Env  []string // nil: the wrapper's own
	// In, Out and Err are the person's side. Where In and Out are terminals the
	// program gets one of its own; else it gets In and Err as they are, and a
	// pipe that is copied to Out.
	In, Out, Err *os.File
	// Changed is called with the screen, one call after the other, when output
	// has come and paused. Nil when nobody wants to know.
	Changed func(*Screen)
}

// Interactive says whether a program run with these options gets a terminal,
// so that text can be typed into it.
func (o Options) Interactive() bool {
	return term.IsTerminal(int(o.In.Fd())) && term.IsTerminal(int(o.Out.Fd()))
}
