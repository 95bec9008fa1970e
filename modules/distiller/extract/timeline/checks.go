package timeline

import (
	"maps"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// CommandKey is a command without what does not change what it does.
func CommandKey(text string) string { return prose.Clip(shell.Key(text), 300) }

// IsCheck says whether a family of commands builds, tests, lints or checks types.
func IsCheck(fam string) bool { return fam != "" && verdict.CheckOf(strings.Fields(fam)) != "" }

// IsTest says whether a family of commands runs tests.
func IsTest(fam string) bool {
	return fam != "" && verdict.CheckOf(strings.Fields(fam)) == verdict.Test
}

// checkResults are the newest result of each kind of check that ran for a request.
type checkResults map[verdict.Check]checkResult

type checkResult struct {
	passed bool
	seq    int
}

// note keeps the result of a check. Requests are copied with the state they belong to, so
// the map is a new one each time.
func (c *checkResults) note(kind verdict.Check, passed bool, seq int) {
	results := maps.Clone(*c)
	if results == nil {
		results = checkResults{}
	}
	results[kind] = checkResult{passed, seq}
	*c = results
}

// text says how the checks of a request ended. A lint or a build is no test, and what
// passed before the last edit says nothing of it; elsewhere says that a check of a later
// request has seen it, fails that one failed which no other has made good.
func (c checkResults) text(edited int, elsewhere, fails bool) string {
	var failed, passed []verdict.Check
	for _, kind := range checkOrder {
		switch r, ran := c[kind]; {
		case ran && !r.passed:
			failed = append(failed, kind)
		case ran && r.seq > edited:
			passed = append(passed, kind)
		}
	}
	switch {
	case len(failed) > 0:
		return checkNames(failed) + " failed last"
	case fails:
		return "a check still fails"
	case len(passed) > 0 && c[verdict.Test].passed && !slices.Contains(passed, verdict.Test):
		return checkNames(passed) + " passed, no test since the last edit"
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
	text := checkNames(kinds) + " passed"
	if !slices.Contains(kinds, verdict.Test) {
		text += ", no test ran"
	}
	return text
}

// checkOrder is the order in which checks are named.
var checkOrder = []verdict.Check{verdict.Test, verdict.Build, verdict.Types, verdict.Lint, verdict.Format}

var checkName = map[verdict.Check]string{verdict.Test: "tests", verdict.Build: "build", verdict.Types: "type check", verdict.Lint: "lint", verdict.Format: "format check"}

// checkNames lists kinds of checks.
func checkNames(kinds []verdict.Check) string {
	var out []string
	for _, kind := range checkOrder {
		if slices.Contains(kinds, kind) {
			out = append(out, checkName[kind])
		}
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " and " + out[n-1]
	}
	return strings.Join(out, "")
}
