package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The rules of what is printed:
//
//   - results go to stdout, everything else to stderr
//   - an error is "carryover: error: …", lower case, without a full stop,
//     followed by "carryover: hint: …" with the command that mends it
//   - with --json stdout is exactly one object, also when something failed
//   - nothing is coloured, and nothing is printed twice; on a terminal what was
//     searched for is bold
//   - control characters of what is shown are shown, not obeyed

// Schema is the version of every JSON object the commands print.
const Schema = 1

// Exit codes, as docs/exit-codes.md lists them.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitNothing = 3
	exitDaemon  = 4

	// Of the commands that end as a program they run.
	ExitOwn       = 125 // we failed
	ExitNotRun    = 126 // the program could not be run
	ExitNoProgram = 127 // there is none
)

// Failure is an error with what the person can do about it, and the code the
// program ends with. A silent one has been reported already.
type Failure struct {
	err    error
	hint   string
	code   int
	name   string // of the error in JSON
	silent bool
}

func (f *Failure) Error() string { return f.err.Error() }
func (f *Failure) Unwrap() error { return f.err }

// Hinted adds a hint to an error.
func Hinted(err error, hint string, args ...any) error {
	return &Failure{err: err, hint: fmt.Sprintf(hint, args...), code: ExitFailed, name: "failed"}
}

// Coded gives an error another exit code.
func Coded(code int, name string, err error, hint string, args ...any) error {
	return &Failure{err: err, hint: fmt.Sprintf(hint, args...), code: code, name: name}
}

// Ended ends with a code after everything was said.
func Ended(code int) error { return &Failure{err: errors.New("reported"), code: code, silent: true} }

// errorReport is the JSON of a command that failed before it had a result.
type errorReport struct {
	Schema int           `json:"schema"`
	Error  reportedError `json:"error"`
}

type reportedError struct {
	Code    string `json:"code"` // failed, usage, not_found, ambiguous, daemon_needed
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Output is where a command writes. What it writes goes through screenWriter,
// but for RawOut and RawErr: they are for what has control sequences of its own.
type Output struct {
	Out, err       io.Writer
	RawOut, rawErr io.Writer
	JSON           bool
}

// NewOutput writes to these two, as one JSON object or as text.
func NewOutput(out, err io.Writer, json bool) Output {
	return Output{Out: NewScreenWriter(out), err: NewScreenWriter(err), RawOut: out, rawErr: err, JSON: json}
}

// Print writes a line of the result.
func (o *Output) Print(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Out, format+"\n", args...)
}

// Note writes a line for the person that is no result.
func (o *Output) Note(format string, args ...any) {
	_, _ = fmt.Fprintf(o.err, format+"\n", args...)
}

// Object writes the one JSON object.
func (o *Output) Object(value any) error {
	encoder := json.NewEncoder(o.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Failed reports an error and returns the exit code.
func (o *Output) Failed(err error) int {
	f := &Failure{err: err, code: ExitFailed, name: "failed"}
	_ = errors.As(err, &f)
	if f.silent {
		return f.code
	}
	if o.JSON {
		_ = o.Object(errorReport{Schema: Schema, Error: reportedError{Code: f.name, Message: err.Error(), Hint: f.hint}})
	}
	o.Note("carryover: error: %s", err)
	if f.hint != "" {
		o.Note("carryover: hint: %s", f.hint)
	}
	return f.code
}
