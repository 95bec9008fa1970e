package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/toolspecs"
)

// test is the outcome of one test or subtest: pass, fail, skip. Reason is the first
// line that a failed one said of itself.
type test struct{ Name, Outcome, Reason string }

// said is a line of a test about itself: "    file_test.go:12: what failed".
var said = regexp.MustCompile(`^\s+\w+_test\.go:\d+: (.+)`)

// readRun reads the output of go test -json, in the order the tests ended. Of a test
// that ran more than once, as one that failed is tried again alone, the last outcome
// counts.
func readRun(path string) ([]test, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read run: %w", err)
	}
	var tests []test
	reasons := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.Test == "" {
			continue // what a build prints
		}
		switch event.Action {
		case "run":
			delete(reasons, event.Test)
		case "output":
			if found := said.FindStringSubmatch(event.Output); found != nil && reasons[event.Test] == "" {
				reasons[event.Test] = strings.TrimSpace(found[1])
			}
		case "pass", "fail", "skip":
			tests = slices.DeleteFunc(tests, func(t test) bool { return t.Name == event.Test })
			tests = append(tests, test{event.Test, event.Action, reasons[event.Test]})
		}
	}
	return tests, lines.Err()
}

// scenarios turns tests into facts. One with subtests stands for what its
// subtests say. One that fails on the pinned versions too says nothing about a
// newer version.
func scenarios(newest, pinned []test) []finding {
	var findings []finding
	for _, t := range newest {
		if slices.ContainsFunc(newest, func(other test) bool { return strings.HasPrefix(other.Name, t.Name+"/") }) {
			continue
		}
		f := finding{Tool: toolsIn(t.Name), Fact: sentence(t.Name), Message: "scenario " + t.Name}
		switch {
		case t.Outcome == "pass":
			f.Result = resultHolds
		case t.Outcome == "skip":
			f.Result = resultUnknown
		case slices.ContainsFunc(pinned, func(p test) bool { return p.Name == t.Name && p.Outcome == "fail" }):
			f.Result, f.Message = resultUnknown, f.Message+" fails on the pinned versions too"
		default:
			f.Result = resultGone
		}
		if t.Outcome != "pass" && t.Reason != "" {
			f.Message += ": " + t.Reason
		}
		findings = append(findings, f)
	}
	return findings
}

// toolsIn are the tools a test is about, by the names of their programs; all,
// when it names none.
func toolsIn(name string) string {
	name = strings.ToLower(name)
	var found []string
	table, _ := toolspecs.Load(nil)
	for _, spec := range table.All() {
		if spec.Terminal != nil && strings.Contains(name, spec.Detect.Binaries[0]) {
			found = append(found, spec.Tool)
		}
	}
	if len(found) == 0 {
		return "several"
	}
	return strings.Join(found, ", ")
}

// sentence makes words of a test's name: "TestWhoIsGivenIt/a_b" is "who is
// given it: a b".
func sentence(name string) string {
	top, sub, _ := strings.Cut(strings.TrimPrefix(name, "Test"), "/")
	var b strings.Builder
	for i, r := range top {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if sub != "" {
		b.WriteString(": " + strings.ReplaceAll(sub, "_", " "))
	}
	return b.String()
}
