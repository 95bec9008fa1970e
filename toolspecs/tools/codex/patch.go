package codex

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// change is what happens to one file.
type change struct {
	Path    string             `json:"path"`
	Meaning transcript.Meaning `json:"meaning"`
	Moved   string             `json:"moved,omitempty"` // its new path
	Before  string             `json:"-"`
	After   string             `json:"-"`
}

// patchHeads are the lines that begin a file in the text of apply_patch.
var patchHeads = []struct {
	prefix  string
	meaning transcript.Meaning
}{
	{"*** Add File: ", transcript.Write},
	{"*** Update File: ", transcript.Edit},
	{"*** Delete File: ", transcript.Delete},
}

// parsePatch reads the text given to apply_patch.
func parsePatch(text string) []change {
	var changes []change
	var before, after strings.Builder
	flush := func() {
		if n := len(changes); n > 0 {
			changes[n-1].Before, changes[n-1].After = before.String(), after.String()
		}
		before.Reset()
		after.Reset()
	}
	for line := range strings.Lines(text) {
		if next, ok := patchHead(line); ok {
			flush()
			changes = append(changes, next)
			continue
		}
		if len(changes) == 0 {
			continue
		}
		if to, ok := strings.CutPrefix(line, "*** Move to: "); ok {
			changes[len(changes)-1].Moved = strings.TrimSpace(to)
			continue
		}
		hunkLine(line, &before, &after)
	}
	flush()
	return changes
}

func patchHead(line string) (change, bool) {
	for _, head := range patchHeads {
		if path, ok := strings.CutPrefix(line, head.prefix); ok {
			return change{Path: strings.TrimSpace(path), Meaning: head.meaning}, true
		}
	}
	return change{}, false
}

// hunkLine sorts a line of a diff into the text before and after it.
func hunkLine(line string, before, after *strings.Builder) {
	switch line[0] {
	case '-':
		before.WriteString(line[1:])
	case '+':
		after.WriteString(line[1:])
	case ' ':
		before.WriteString(line[1:])
		after.WriteString(line[1:])
	}
}

// diffChange reads one entry of a record's changes, as they are written after
// a patch was applied.
func diffChange(path string, raw []byte) change {
	parts := transcript.Members(raw, "type", "content", "unified_diff", "move_path")
	result := change{Path: path, Meaning: transcript.Edit, Moved: transcript.Text(parts[3])}
	content := transcript.Text(parts[1])
	switch transcript.Text(parts[0]) {
	case "add":
		result.Meaning, result.After = transcript.Write, content
	case "delete":
		result.Meaning, result.Before = transcript.Delete, content
	default:
		var before, after strings.Builder
		for line := range strings.Lines(transcript.Text(parts[2])) {
			hunkLine(line, &before, &after)
		}
		result.Before, result.After = before.String(), after.String()
	}
	return result
}

// withoutText leaves out what a stored state has no room for.
func withoutText(changes []change) []change {
	for i := range changes {
		changes[i].Before, changes[i].After = "", ""
	}
	return changes
}

func (c change) paths() []string {
	if c.Moved != "" {
		return []string{c.Path, c.Moved}
	}
	return []string{c.Path}
}
