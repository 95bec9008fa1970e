package transcript

import "errors"

// ErrState says that a stored reader state is of no use to this reader; the
// source is read again from its start.
var ErrState = errors.New("reader state not understood")

// ErrRowsOnly says that a tool keeps its history in a database and nowhere else:
// its reader has nothing to decode.
var ErrRowsOnly = errors.New("the sessions are read from the tool's database only")
