// Package checks says how the checks of a request ended: its tests, builds and lints.
package checks

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Results are the newest result of each kind of check that ran for a request.
type Results map[verdict.Check]result

type result struct {
	outcome Outcome
	seq     int
}

// Outcome is how a check ended.
type Outcome string

// The outcomes.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	Unrun  Outcome = "could not run" // the environment kept it from examining anything
	Halted Outcome = "run failed"    // of tests: before there was a result of any
)

// Failure is how a check failed: where its output names no test and no place in the code it has
// examined nothing.
func Failure(call transcript.CallInfo, v verdict.Verdict, report output.Report, text string) Outcome {
	switch {
	case report.Failed || report.Summary != "" || v.Location != "":
		return Failed
	case output.CannotRun(call.Command, text):
		return Unrun
	case v.Check == verdict.Test:
		return Halted
	}
	return Failed
}

// Note keeps the result of a check.
func (c *Results) Note(kind verdict.Check, outcome Outcome, seq int) {
	if *c == nil {
		*c = Results{}
	}
	(*c)[kind] = result{outcome, seq}
}

// Forget lets go of the result of a check that says nothing any more.
func (c Results) Forget(kind verdict.Check) { delete(c, kind) }

// Text says how the checks of a request ended. A lint or a build is no test, and what
// passed before the last edit says nothing of it; elsewhere says that a check of a later
// request has seen it, fails that one failed which no other has made good.
func (c Results) Text(edited int, elsewhere, fails bool) string {
	var failed, passed, unrun []verdict.Check
	for _, kind := range order {
		switch r := c[kind]; {
		case r.outcome == Failed:
			failed = append(failed, kind)
		case r.outcome == Unrun:
			unrun = append(unrun, kind)
		case r.outcome == Passed && r.seq > edited:
			passed = append(passed, kind)
		}
	}
	switch {
	case len(failed) > 0:
		return names(failed) + " failed last"
	case c[verdict.Test].outcome == Halted:
		return "the test run failed before any result"
	case len(unrun) > 0 && len(passed) > 0:
		return names(passed) + " passed, " + names(unrun) + " could not run here"
	case len(unrun) > 0:
		return names(unrun) + " could not run here"
	case fails:
		return "a check still fails"
	case len(passed) > 0 && c[verdict.Test].outcome == Passed && !slices.Contains(passed, verdict.Test):
		return names(passed) + " passed, no test since the last edit"
	case len(passed) > 0:
		return PassedText(passed)
	case elsewhere:
		return "checked"
	case len(c) > 0:
		return "not checked since the last edit"
	}
	return "not checked"
}

// PassedText says which checks passed, and that there was no test among them.
func PassedText(kinds []verdict.Check) string {
	text := names(kinds) + " passed"
	if !slices.Contains(kinds, verdict.Test) {
		text += ", no test ran"
	}
	return text
}

// order is the order in which checks are named.
var order = []verdict.Check{verdict.Test, verdict.Build, verdict.Types, verdict.Lint, verdict.Format}

var nameOf = map[verdict.Check]string{verdict.Test: "tests", verdict.Build: "build", verdict.Types: "type check", verdict.Lint: "lint", verdict.Format: "format check"}

// names lists kinds of checks.
func names(kinds []verdict.Check) string {
	var out []string
	for _, kind := range order {
		if slices.Contains(kinds, kind) {
			out = append(out, nameOf[kind])
		}
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return strings.Join(out, "")
}
