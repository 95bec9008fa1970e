package ledger

import "errors"

// Errors that callers tell apart. The text is for a person; a hint that says
// what to do is added where the error is shown.
var (
	ErrLocked    = errors.New("another process is writing to the ledger")
	ErrCorrupt   = errors.New("ledger is damaged")
	ErrTooNew    = errors.New("ledger was written by a newer version")
	ErrNoSpace   = errors.New("no room to write the ledger")
	ErrReadOnly  = errors.New("ledger is open for reading only")
	ErrNoProject = errors.New("no session was captured there")
	ErrBatch     = errors.New("batch cannot be stored") // an event without id, a reader state that is too large
)
