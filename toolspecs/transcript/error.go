package transcript

import "errors"

// ErrState says that a stored reader state is of no use to this reader; the
// source is read again from its start.
var ErrState = errors.New("reader state not understood")
