//go:build unix

package terminal

import (
	"os"

	"github.com/muesli/cancelreader"
)

// interruptible reads what a person types until it is interrupted, without
// taking a key that was meant for whoever reads next.
type interruptible struct{ cancelreader.CancelReader }

func newInterruptible(in *os.File) (interruptible, error) {
	reader, err := cancelreader.NewReader(in)
	return interruptible{reader}, err
}

func (i interruptible) interrupt() { i.Cancel() }
func (i interruptible) close()     { _ = i.Close() }
