// Package output reads what programs print: the reports of test runners and the
// line that says what went wrong.
package output

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Report is what the output of a test run says.
type Report struct {
	seen    bool     // a result was printed: started is not passed
	Failed  bool     // something failed, whatever the exit status said
	Tests   []string // failing tests by name, as the runner writes them
	Passed  []string // passing ones, where it names them
	Failing []string // files the runner names as failing
	Passing []string // files the runner names as passing
	Summary string   // the runner's own closing line
}

// A rule reads one line of a runner's output. Name and file are the numbers of
// the regular expression's groups that hold them, 0 for none.
type runnerRule struct {
	runner  string
	pattern *lazyregexp.Regexp
	failed  bool
	name    int
	file    int
	closing bool // the runner's summary line
}

// The well-known runners' lines. First match wins.
var runnerRules = []runnerRule{
	{runner: "go test", pattern: lazyregexp.New(`^\s*--- FAIL: (\S+)`), failed: true, name: 1},
	{runner: "go test", pattern: lazyregexp.New(`^\s*--- PASS: (\S+)`), name: 1},
	{runner: "go test", pattern: lazyregexp.New(`^FAIL\s+\S+(?:\s+[\d.]+s|\s+\[.*\])`), failed: true, closing: true},
	{runner: "go test", pattern: lazyregexp.New(`\[no tests to run\]$`)}, // neither passed nor failed
	{runner: "go test", pattern: lazyregexp.New(`^ok\s+\S+\s+(?:[\d.]+s|\(cached\))`), closing: true},
	{runner: "pytest", pattern: lazyregexp.New(`^(?:FAILED|ERROR) ((\S+\.py)(?:::\S+)?)`), failed: true, name: 1, file: 2},
	{runner: "pytest", pattern: lazyregexp.New(`^((\S+\.py)::\S+) PASSED`), name: 1, file: 2},
	{runner: "pytest", pattern: lazyregexp.New(`\b[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s`), failed: true, closing: true},
	{runner: "pytest", pattern: lazyregexp.New(`\b\d+ passed\b.* in [\d.]+s`), closing: true},
	{runner: "vitest", pattern: lazyregexp.New(`^\s*(?:FAIL)\s+(\S+\.\w+)(?: > (.+))?`), failed: true, file: 1, name: 2},
	{runner: "vitest", pattern: lazyregexp.New(`^\s*[❯×✗]\s+(\S+\.(?:test|spec)\.\w+)\s.*failed`), failed: true, file: 1},
	{runner: "vitest", pattern: lazyregexp.New(`^\s*(?:PASS|✓)\s+(\S+\.(?:test|spec)\.\w+)`), file: 1},
	{runner: "jest", pattern: lazyregexp.New(`^\s*● (.+ › .+)`), failed: true, name: 1},
	{runner: "jest", pattern: lazyregexp.New(`^\s*(?:Tests|Test Files|Test Suites):?\s+.*\b[1-9]\d* failed`), failed: true, closing: true},
	{runner: "jest", pattern: lazyregexp.New(`^\s*(?:Tests|Test Files|Test Suites):?\s+.*\b\d+ passed`), closing: true},
	{runner: "cargo", pattern: lazyregexp.New(`^test (\S+) \.\.\. FAILED`), failed: true, name: 1},
	{runner: "cargo", pattern: lazyregexp.New(`^test (\S+) \.\.\. ok$`), name: 1},
	{runner: "cargo", pattern: lazyregexp.New(`panicked at (\S+\.rs):\d+`), failed: true, file: 1},
	{runner: "cargo", pattern: lazyregexp.New(`^test result: FAILED`), failed: true, closing: true},
	{runner: "cargo", pattern: lazyregexp.New(`^test result: ok\. [1-9]`), closing: true},
	{runner: "nextest", pattern: lazyregexp.New(`^\s*Summary .*\b[1-9]\d* failed`), failed: true, closing: true},
	{runner: "nextest", pattern: lazyregexp.New(`^\s*Summary .*tests? run: \d+ passed`), closing: true},
	{runner: "rspec", pattern: lazyregexp.New(`^rspec '?\.?/?(\S+_spec\.rb)\S* # (.+)`), failed: true, file: 1, name: 2},
	{runner: "rspec", pattern: lazyregexp.New(`^\d+ examples?, [1-9]\d* failures?`), failed: true, closing: true},
	{runner: "rspec", pattern: lazyregexp.New(`^[1-9]\d* examples?, 0 failures`), closing: true},
	{runner: "dotnet", pattern: lazyregexp.New(`^\s*Failed!\s+-`), failed: true, closing: true},
	{runner: "dotnet", pattern: lazyregexp.New(`^\s*Passed!\s+-`), closing: true},
	{runner: "dotnet", pattern: lazyregexp.New(`^\s*Failed (\S+) \[\d`), failed: true, name: 1},
	{runner: "phpunit", pattern: lazyregexp.New(`^(?:FAILURES|ERRORS)!`), failed: true, closing: true},
	{runner: "phpunit", pattern: lazyregexp.New(`^OK \(\d+ tests?`), closing: true},
	{runner: "phpunit", pattern: lazyregexp.New(`^\d+\) (\S+::\S+)`), failed: true, name: 1},
	{runner: "junit", pattern: lazyregexp.New(`Tests run: \d+, Failures: (?:[1-9]\d*, Errors: \d+|\d+, Errors: [1-9])`), failed: true, closing: true},
	{runner: "junit", pattern: lazyregexp.New(`Tests run: [1-9]\d*, Failures: 0, Errors: 0`), closing: true},
	{runner: "junit", pattern: lazyregexp.New(`^\[ERROR\]\s+(\w+(?:Test|Tests|IT)[.:]\S+)`), failed: true, name: 1},
	{runner: "gradle", pattern: lazyregexp.New(`^(\S+ > \S+.*) FAILED`), failed: true, name: 1},
	{runner: "gradle", pattern: lazyregexp.New(`^BUILD FAILED`), failed: true, closing: true},
	{runner: "gradle", pattern: lazyregexp.New(`^BUILD SUCCESSFUL`), closing: true},
	{runner: "mocha", pattern: lazyregexp.New(`^\s*[1-9]\d* failing`), failed: true, closing: true},
	{runner: "mocha", pattern: lazyregexp.New(`^\s*[1-9]\d* passing`), closing: true},
	{runner: "unittest", pattern: lazyregexp.New(`^(?:FAIL|ERROR): (\w+ \(\S+\))`), failed: true, name: 1},
	{runner: "unittest", pattern: lazyregexp.New(`^FAILED \((?:failures|errors)=`), failed: true, closing: true},
	{runner: "unittest", pattern: lazyregexp.New(`^Ran [1-9]\d* tests? in`), closing: true},
	{runner: "bun", pattern: lazyregexp.New(`^\s*[1-9]\d* fail$`), failed: true, closing: true},
	{runner: "bun", pattern: lazyregexp.New(`^\s*[1-9]\d* pass$`), closing: true},
	{runner: "tap", pattern: lazyregexp.New(`^not ok \d+ -? ?(.+)`), failed: true, name: 1},
	{runner: "tap", pattern: lazyregexp.New(`^ok \d+ -? ?(.+)`), name: 1},
	{runner: "tap", pattern: lazyregexp.New(`^# (?:pass|tests) [1-9]`), closing: true},
}

// runnerSet are the patterns of the runnerRules by number.
var runnerSet = lazyregexp.SetOf(runnerRules, func(r runnerRule) *lazyregexp.Regexp { return r.pattern })

// runnerMark is what a line must hold to be worth the rules: most lines of a
// test run are not.
var runnerMarks = []string{"FAIL", "fail", "PASS", "pass", "ok", "Failed", "ERROR", "Errors", "OK", "BUILD", "panicked", "examples", "●", "✓", "×", "✗", "❯", "::", "rspec", "Ran ", "Summary", "tests "}

// ReadReport reads the output of a test run.
func ReadReport(output string) Report {
	var r Report
	for line := range strings.Lines(prose.Excerpt(output)) {
		line = strings.TrimRight(StripANSI(line), "\r\n ")
		if len(line) > 400 || !prose.HasAny(line, runnerMarks...) {
			continue
		}
		may := runnerSet.May(line)
		if may.Empty() {
			continue
		}
		for n, rule := range runnerRules {
			if !may.Has(n) {
				continue
			}
			if m := rule.pattern.FindStringSubmatch(line); m != nil {
				r.take(rule, m, line)
				break
			}
		}
	}
	return r
}

func (r *Report) take(rule runnerRule, m []string, line string) {
	r.Failed = r.Failed || rule.failed
	if rule.closing || rule.failed {
		r.seen = true
	}
	if rule.closing && (rule.failed || r.Summary == "") {
		r.Summary = prose.OneLine(line)
	}
	if rule.name > 0 && m[rule.name] != "" {
		switch name := prose.OneLine(m[rule.name]); {
		case rule.failed && len(r.Tests) < maxNamed:
			r.Tests = append(r.Tests, name)
		case !rule.failed && len(r.Passed) < maxNamed*maxNamed:
			r.Passed = append(r.Passed, name)
		}
	}
	if rule.file > 0 && m[rule.file] != "" {
		if rule.failed {
			r.Failing = append(r.Failing, m[rule.file])
		} else {
			r.Passing = append(r.Passing, m[rule.file])
		}
	}
}

// maxNamed is how many failing tests of one run are known by name; of passing ones many
// more, for they prove what failed before.
const maxNamed = 10

// StripANSI takes terminal control sequences off.
func StripANSI(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	return ansi.ReplaceAllString(s, "")
}

var ansi = lazyregexp.New(`\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// PositionLine is the first line of an output that names a place in a file and says what is
// wrong there, or a linter's rule with what it found against it and the place on the line
// below; "" for none.
func PositionLine(output string) string {
	rule := ""
	for line := range strings.Lines(prose.Excerpt(output)) {
		line = prose.OneLine(StripANSI(line))
		switch {
		case position.MatchString(line):
			return prose.Clip(line, WhyWidth)
		case ruleLine.MatchString(line):
			rule = line
		case rule != "" && strings.HasPrefix(line, "--> "):
			return prose.Clip(strings.TrimPrefix(line, "--> ")+" "+rule, WhyWidth)
		}
	}
	return ""
}

// Places are the files of an output's lines that name a place in a file and say what is wrong
// there, each once.
func Places(output string) []string {
	var out []string
	for line := range strings.Lines(prose.Excerpt(output)) {
		if !strings.Contains(line, ":") {
			continue
		}
		line = prose.OneLine(StripANSI(line))
		if position.MatchString(line) {
			if file, _, _ := strings.Cut(line, ":"); !slices.Contains(out, file) && len(out) < maxNamed {
				out = append(out, file)
			}
		}
	}
	return out
}

// ruleLine is a linter's rule with what it found ("F401 [*] … imported but unused").
var ruleLine = lazyregexp.New(`^[A-Z]{1,5}\d{2,5} (?:\[\*\] )?\S.{8}`)

var position = lazyregexp.New(`^(?:\.{0,2}/)*[\w@./+-]+\.\w{1,6}:\d+(?::\d+)?:? \S.{8}`)
