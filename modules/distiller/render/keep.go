package render

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What Keep names of each kind, and all of it, in lines.
const (
	maxKeep         = 10
	maxKeptChoices  = 3
	maxKeptFailures = 3
	maxKeptFiles    = 8
)

const wordsKeep = "The summary must not lose the following, in these words; all else is yours to choose."

// Keep tells the summariser of a compaction, in at most ten lines, what must
// not be lost: decisions, what fails, the files. It is "" when nothing is known.
func Keep(f distiller.Facts) string {
	var lines []string
	add := func(head, text string) {
		if text != "" && len(lines) < maxKeep-1 {
			lines = append(lines, width.Truncate("- "+head+": "+text, maxWidth))
		}
	}
	if f.Task != nil {
		add("task", quote(f.Task.Text))
	}
	for _, d := range f.Decisions[:min(len(f.Decisions), maxKeptChoices)] {
		add("decided", describeDecision(d))
	}
	failing := 0
	for _, failure := range f.Failures {
		if failure.Ended == "" && failing < maxKeptFailures {
			failing++
			add("still fails", strings.TrimSuffix(code(failure.What, maxOutput)+": "+output(failure.Why), ": "))
		}
	}
	add("files changed", strings.Join(changedFiles(f.Files), ", "))
	if f.Next != nil {
		add("next", clean(f.Next.Text))
	}
	if len(lines) == 0 {
		return ""
	}
	return transcript.Sentinel + " " + wordsKeep + "\n" + strings.Join(lines, "\n") + "\n"
}

func changedFiles(files []distiller.File) []string {
	var names []string
	for _, file := range files {
		if file.Change != "read" && len(names) < maxKeptFiles {
			names = append(names, clean(file.Path))
		}
	}
	return names
}
