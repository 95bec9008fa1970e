//go:build unix

package terminal

import "github.com/muesli/cancelreader"

// interruptible reads until it is interrupted: what a person types, without
// taking a key that was meant for whoever reads next, and what a program
// prints.
type interruptible struct{ cancelreader.CancelReader }

func newInterruptible(from cancelreader.File) (interruptible, error) {
	reader, err := cancelreader.NewReader(from)
	return interruptible{reader}, err
}

func (i interruptible) interrupt() { i.Cancel() }
func (i interruptible) close()     { _ = i.Close() }
