package daemon

import (
	"errors"

	"github.com/carryover-go/carryover/modules/daemon/ingest"
)

// Errors that commands tell apart. The text is for a person; the hint that
// says what to do is added where the error is shown.
var (
	// ErrNothing says that what was asked for is not in the ledger.
	ErrNothing = errors.New("nothing found")
	// ErrInvalid says that what was asked for makes no sense.
	ErrInvalid = errors.New("invalid request")
	// ErrNoLedger says that nothing was captured in this home yet.
	ErrNoLedger = errors.New("no ledger yet")
	// ErrForeign says that a file is no transcript of a tool we know.
	ErrForeign = ingest.ErrForeign
)

// told is an error of one of the kinds above with a text of its own.
type told struct {
	kind error
	text string
}

func (t told) Error() string { return t.text }
func (t told) Unwrap() error { return t.kind }

func nothing(text string) error { return told{ErrNothing, text} }
func invalid(text string) error { return told{ErrInvalid, text} }
