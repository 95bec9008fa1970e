package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
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
	exitPipe    = 141 // nobody reads stdout any more; what a shell says of SIGPIPE

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
	stdout         *sink
}

// NewOutput writes to these two, as one JSON object or as text.
func NewOutput(out, err io.Writer, json bool) Output {
	to := &sink{to: out}
	return Output{Out: NewScreenWriter(to), err: NewScreenWriter(err), RawOut: to, rawErr: err, JSON: json, stdout: to}
}

// sink remembers the first write that failed: a command does what it was asked to,
// whether or not somebody reads what it says, and its end tells.
type sink struct {
	to     io.Writer
	failed error
}

func (s *sink) Write(text []byte) (int, error) {
	n, err := s.to.Write(text)
	if s.failed == nil {
		s.failed = err
	}
	return n, err
}

// End is the exit code of a command that ended with a code, or with an error that is not
// reported yet: also one that was done and could not print its result.
func (o *Output) End(err error) int {
	code := ExitDone
	closed := errors.Is(o.stdout.failed, syscall.EPIPE)
	if err != nil && (!closed || !errors.Is(err, syscall.EPIPE)) {
		code = o.Failed(err)
	}
	switch {
	case o.stdout.failed == nil || code != ExitDone:
		return code
	case closed:
		return exitPipe
	}
	o.Note("carryover: error: the result could not be printed: %s", o.stdout.failed)
	return ExitFailed
}

// Print writes a line of the result; on a terminal one that is too long is wrapped
// between words.
func (o *Output) Print(format string, args ...any) {
	_, _ = io.WriteString(o.Out, ScreenOf().Wrap(fmt.Sprintf(format, args...))+"\n")
}

// Copied writes lines that a person copies into a file: they are never wrapped.
func (o *Output) Copied(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Out, format+"\n", args...)
}

// Note writes a line for the person that is no result.
func (o *Output) Note(format string, args ...any) {
	_, _ = io.WriteString(o.err, screenOf(os.Stderr).Wrap(fmt.Sprintf(format, args...))+"\n")
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
