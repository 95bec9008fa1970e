package main

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

// schema is the version of every JSON object the commands print.
const schema = 1

// Exit codes, as docs/exit-codes.md lists them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNothing = 3
	exitDaemon  = 4

	// Of the commands that end as a program they run.
	exitOwn       = 125 // we failed
	exitNotRun    = 126 // the program could not be run
	exitNoProgram = 127 // there is none
)

// failure is an error with what the person can do about it, and the code the
// program ends with. A silent one has been reported already.
type failure struct {
	err    error
	hint   string
	code   int
	name   string // of the error in JSON
	silent bool
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// hinted adds a hint to an error.
func hinted(err error, hint string, args ...any) error {
	return &failure{err: err, hint: fmt.Sprintf(hint, args...), code: exitFailed, name: "failed"}
}

// coded gives an error another exit code.
func coded(code int, name string, err error, hint string, args ...any) error {
	return &failure{err: err, hint: fmt.Sprintf(hint, args...), code: code, name: name}
}

// ended ends with a code after everything was said.
func ended(code int) error { return &failure{err: errors.New("reported"), code: code, silent: true} }

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

// output is where a command writes. What it writes goes through screenWriter,
// but for rawOut and rawErr: they are for what has control sequences of its own.
type output struct {
	out, err       io.Writer
	rawOut, rawErr io.Writer
	json           bool
}

// newOutput writes to these two, as one JSON object or as text.
func newOutput(out, err io.Writer, json bool) output {
	return output{out: newScreenWriter(out), err: newScreenWriter(err), rawOut: out, rawErr: err, json: json}
}

// print writes a line of the result.
func (o *output) print(format string, args ...any) {
	_, _ = fmt.Fprintf(o.out, format+"\n", args...)
}

// note writes a line for the person that is no result.
func (o *output) note(format string, args ...any) {
	_, _ = fmt.Fprintf(o.err, format+"\n", args...)
}

// object writes the one JSON object.
func (o *output) object(value any) error {
	encoder := json.NewEncoder(o.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// failed reports an error and returns the exit code.
func (o *output) failed(err error) int {
	f := &failure{err: err, code: exitFailed, name: "failed"}
	_ = errors.As(err, &f)
	if f.silent {
		return f.code
	}
	if o.json {
		_ = o.object(errorReport{Schema: schema, Error: reportedError{Code: f.name, Message: err.Error(), Hint: f.hint}})
	}
	o.note("carryover: error: %s", err)
	if f.hint != "" {
		o.note("carryover: hint: %s", f.hint)
	}
	return f.code
}
