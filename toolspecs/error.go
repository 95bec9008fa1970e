package toolspecs

import "errors"

// Errors of resolving a tool and its version. Each comes wrapped in one
// sentence that can be shown as it is.
var (
	// ErrTooOld: the tool's version is older than every range that is known.
	ErrTooOld = errors.New("version too old")
	// ErrGone: the version of the program has the tool no more.
	ErrGone = errors.New("tool removed")
	// ErrTooNew: the spec was written for a newer Carryover.
	ErrTooNew = errors.New("spec too new")
	// ErrUnknown: no spec has that name.
	ErrUnknown = errors.New("unknown tool")
)
