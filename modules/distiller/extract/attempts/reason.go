package attempts

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// FailureReason is the runner's failing test and the first line of the error.
func FailureReason(e *timeline.Event) string {
	r := e.Test
	if e.ToolCall.OnlyLooks() { // what else it prints is the text of something
		return prose.Clip(complaint(e), output.WhyWidth)
	}
	line := output.ErrorLine(e.Result.Text)
	switch weak := !prose.HasAny(line, output.ErrorMarks[0]...); {
	case weak && e.Verdict.Check == verdict.Test && len(r.Tests) == 0 && cut(e) && (strings.HasPrefix(r.Summary, "FAIL") || counted.MatchString(r.Summary)):
		line = r.Summary // the tests that failed are named in the part that is not kept: what is left is of others
	case (weak || e.Verdict.Check != verdict.Test) && e.Verdict.Location != "":
		line = prose.Clip(prose.OneLine(e.Verdict.Location), output.WhyWidth)
	case weak && e.Verdict.Check != "" && e.Verdict.Check != verdict.Test && !prose.HasAny(e.ToolCall.Info.Command, "rg ", "grep ") && output.PositionLine(e.Result.Text) != "":
		line = output.PositionLine(e.Result.Text) // a linter may show the code it complains of behind it
	case weak && e.Verdict.Check == verdict.Test && len(r.Tests) == 0 && e.Verdict.Location == "" && counted.MatchString(r.Summary):
		line = r.Summary // what a passing test prints of an error is none
	case (line == "" || weak && looksFirst(e.ToolCall) || output.Hollow.MatchString(line)) && e.Verdict.Line != "":
		line = prose.Clip(prose.OneLine(e.Verdict.Line), output.WhyWidth)
	}
	if timeline.Passed(e) {
		if refusal := httpRefusal.FindString(prose.Excerpt(e.Result.Text)); !strings.HasPrefix(line, refusal) {
			line = refusal + ": " + line
		}
	}
	if len(r.Tests) > 0 && !strings.Contains(line, r.Tests[0]) && !ofNoTest(e, line) {
		line = r.Tests[0] + ": " + line
		if !strings.Contains(line, "FAIL") {
			line = "FAIL " + line
		}
	} else if r.Summary != "" && line == "" {
		line = r.Summary
	}
	if line == "" && e.Result.ExitCode != nil {
		line = "no output"
	}
	return prose.Clip(line, output.WhyWidth)
}

// looksFirst says that a call printed a text before its check ran.
func looksFirst(c *timeline.OpenCall) bool {
	for _, cmd := range c.Commands {
		if family := shell.Family(cmd.Argv); family != "" && !shell.Quiet[family] {
			return shell.Probes[family] && len(cmd.Writes) == 0 && timeline.IsCheck(c.Family)
		}
	}
	return false
}

// complaint is the line with which a program that only looks says what is wrong: its name and
// a colon.
func complaint(e *timeline.Event) string {
	for line := range strings.Lines(prose.Excerpt(e.Result.Text)) {
		for _, cmd := range e.ToolCall.Commands {
			line = strings.TrimSpace(output.StripANSI(line))
			if program := path.Base(shell.Program(shell.Unwrap(cmd.Argv))); program != "." && strings.HasPrefix(line, program+": ") || shellSays.MatchString(line) {
				return prose.OneLine(line)
			}
		}
	}
	return ""
}

// shellSays begins what a shell says itself.
var shellSays = lazyregexp.New(`^(?:/bin/)?(?:ba|z|da|k|fi)?sh: |^\(eval\):\d+: `)

// ofNoTest says that a line names a place outside of the tests, as a compiler does: what failed
// there is another thing than the test that is named.
func ofNoTest(e *timeline.Event, line string) bool {
	place, _, found := strings.Cut(line, ":")
	return found && e.Verdict.Location != "" && strings.HasPrefix(prose.OneLine(e.Verdict.Location), place) && !strings.Contains(strings.ToLower(path.Base(place)), "test") && !strings.Contains(strings.ToLower(place), "spec")
}

// cut says that of an output only the head and the tail are kept.
func cut(e *timeline.Event) bool { return prose.Excerpt(e.Result.Text) != e.Result.Text }

// maxAlso bounds what is kept of a failing run beside its reason.
const maxAlso = 8

// counted is a runner's closing line that says how many failed.
var counted = lazyregexp.New(`\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|fail)\b`)

// alsoNamed is what a failing check names beside the reason that is listed: the other tests
// that failed, else the other files it complains of; and how many failed, where the runner
// counts them.
func alsoNamed(e *timeline.Event, fl *Failure) []string {
	if e.Verdict.Check == "" {
		return nil
	}
	var out []string
	if sum := e.Test.Summary; counted.MatchString(sum) && !strings.Contains(fl.Why, sum) {
		out = append(out, prose.Clip(sum, 60))
	}
	named := e.Test.Tests
	if len(named) == 0 && e.Verdict.Check != verdict.Test {
		named = fl.named
	}
	if len(e.Test.Tests) == 0 && (e.Verdict.Check != verdict.Test || !cut(e)) {
		for _, p := range output.Places(e.Result.Text) {
			named = append(slices.Clip(named), e.Paths.Rel(p, e.ToolCall.Info.Cwd))
		}
	}
	for _, name := range named {
		if len(out) < maxAlso && !strings.Contains(fl.Why, name) && !strings.Contains(fl.What, name) && !strings.Contains(fl.Why, path.Base(name)) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
