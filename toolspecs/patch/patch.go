// Package patch reads the texts by which agents change files: the language of
// apply_patch, which several tools share, and unified diffs.
package patch

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Change is what happens to one file.
type Change struct {
	Path    string             `json:"path"`
	Meaning transcript.Meaning `json:"meaning"`         // write, edit or delete
	Moved   string             `json:"moved,omitempty"` // its new path
	Before  string             `json:"-"`               // the lines of the hunks as they were
	After   string             `json:"-"`               // and as they are now
}

// Paths are the places of the file: where it was, and where it went.
func (c Change) Paths() []string {
	if c.Moved != "" {
		return []string{c.Path, c.Moved}
	}
	return []string{c.Path}
}

// heads are the lines that begin a file in the text of apply_patch.
var heads = []struct {
	prefix  string
	meaning transcript.Meaning
}{
	{"*** Add File: ", transcript.Write},
	{"*** Update File: ", transcript.Edit},
	{"*** Delete File: ", transcript.Delete},
}

// Parse reads the text given to apply_patch; what stands before the first file
// is passed over.
func Parse(text string) []Change {
	var changes []Change
	var hunks hunks
	flush := func() {
		if n := len(changes); n > 0 {
			changes[n-1].Before, changes[n-1].After = hunks.texts()
		}
		hunks.reset()
	}
	for line := range strings.Lines(text) {
		if next, ok := head(line); ok {
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
		hunks.add(line)
	}
	flush()
	return changes
}

func head(line string) (Change, bool) {
	for _, head := range heads {
		if path, ok := strings.CutPrefix(line, head.prefix); ok {
			return Change{Path: strings.TrimSpace(path), Meaning: head.meaning}, true
		}
	}
	return Change{}, false
}

// Diff reads the hunks of a unified diff: the lines it shows as they were and
// as they are now.
func Diff(text string) (before, after string) {
	var hunks hunks
	for line := range strings.Lines(text) {
		hunks.add(line)
	}
	return hunks.texts()
}

// hunks sorts the lines of a diff into the text before and after it.
type hunks struct{ before, after strings.Builder }

func (h *hunks) add(line string) {
	switch line[0] {
	case '-':
		h.before.WriteString(line[1:])
	case '+':
		h.after.WriteString(line[1:])
	case ' ':
		h.before.WriteString(line[1:])
		h.after.WriteString(line[1:])
	}
}

func (h *hunks) texts() (before, after string) { return h.before.String(), h.after.String() }

func (h *hunks) reset() {
	h.before.Reset()
	h.after.Reset()
}
