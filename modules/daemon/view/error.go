package view

import "errors"

// Code says what kind of error it is. Programs decide by it, never by the text.
type Code string

// The codes of errors that a caller can do something about, and Internal for
// the rest.
const (
	CodeNotFound     Code = "not_found"     // what was named is not there
	CodeInvalid      Code = "invalid"       // the request makes no sense
	CodeAmbiguous    Code = "ambiguous"     // several projects have what was named
	CodeNoWrapper    Code = "no_wrapper"    // the agent does not run under `carryover run`
	CodeNoPort       Code = "no_port"       // the daemon has no port for a browser
	CodeOtherProject Code = "other_project" // the session belongs to another project than was allowed
	CodeUnchanged    Code = "unchanged"     // what was asked for is so already
	CodeInternal     Code = "internal"      // everything else; the log says more
)

// Error is an error with a code, and what to do about it, if anything. It goes
// over the socket as it is.
type Error struct {
	Code    Code   `json:"code"`
	Hint    string `json:"hint"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Is makes two errors with one code the same for errors.Is.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// ErrorBody is the body of every answer that is an error.
type ErrorBody struct {
	Error Error `json:"error"`
}

// Errors for errors.Is.
var (
	ErrNotFound     = &Error{Code: CodeNotFound, Message: "nothing found"}
	ErrInvalid      = &Error{Code: CodeInvalid, Message: "invalid request"}
	ErrUnchanged    = &Error{Code: CodeUnchanged, Message: "nothing to change"}
	ErrOtherProject = &Error{Code: CodeOtherProject, Message: "the session belongs to another project"}
	// ErrNoLedger says that nothing was captured in this home yet. A daemon has
	// a ledger, so it never crosses the socket.
	ErrNoLedger = errors.New("no ledger yet")
)

// NotFound says that something captured was looked for in vain.
func NotFound(text string) error {
	return &Error{Code: CodeNotFound, Message: text, Hint: "see `carryover status` for what is captured"}
}

// Invalid says that a request makes no sense.
func Invalid(text string) error { return &Error{Code: CodeInvalid, Message: text} }

// ErrorOf is an error as it is shown: itself, or CodeInternal.
func ErrorOf(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return &Error{Code: known.Code, Hint: known.Hint, Message: err.Error()}
	}
	return &Error{Code: CodeInternal, Hint: "see `carryover daemon logs`", Message: err.Error()}
}
