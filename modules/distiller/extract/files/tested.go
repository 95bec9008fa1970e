package files

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Marks of a file by the tests that ran over it.
const (
	testsUnknown = "unknown"
	testsPassing = "passing"
	testsFailing = "failing"
)

// tested notes what a test run says about files: those it names, and those edited before
// it that it was asked to look at. Of a run that was asked for some tests by name nobody
// knows what else they run, and of one that fails which of the files it does not name hold.
func (f *Touched) tested(e *timeline.Event) {
	passed, r := timeline.Passed(e), e.Test
	targets, flat := shell.Targets(e.ToolCall.Primary.Argv), strings.HasSuffix(e.ToolCall.Family, "go test")
	for _, entry := range f.ByPath {
		if entry.EditSeq == 0 || !IsCode(entry.Path) || !paths.Inside(entry.Path) || !looksAt(targets, flat, entry.Path) {
			continue
		}
		switch {
		case passed:
			entry.Tests = testsPassing
		case entry.Tests == testsPassing:
			entry.Tests = testsUnknown
		}
	}
	for _, p := range r.Passing {
		if entry := f.Known(p); entry != nil {
			entry.Tests = testsPassing
		}
	}
	for _, p := range r.Failing {
		if passed {
			break // lines that a passing test printed
		}
		if entry := f.Known(p); entry != nil {
			entry.Tests = testsFailing
			entry.seq, entry.Turn = e.Seq, e.Turn
		}
	}
}

// looksAt says that a test run was asked to look at a file: at everything, at the file, or
// at the folder that holds it. A flat runner looks below a folder only where it is asked to.
func looksAt(targets []string, flat bool, file string) bool {
	everything := true
	for _, target := range targets {
		if strings.HasPrefix(target, shell.FilterMark) || strings.Contains(target, "::") {
			return false
		}
		dir, below := strings.CutSuffix(target, "/...")
		p := strings.TrimSuffix(strings.TrimPrefix(dir, "./"), "/")
		switch {
		case p == "" || p == ".":
			if below || !flat || path.Dir(file) == "." {
				return true
			}
			everything = false
		case !strings.ContainsAny(target, "/.") && !slices.Contains(strings.Split(path.Dir(file), "/"), p):
			continue // a word of the runner, as "all" or the name of a task
		case file == p, strings.HasPrefix(file, p+"/") && (below || path.Dir(file) == p || !flat):
			return true
		default:
			everything = false
		}
	}
	return everything
}
