package toolspecs

import (
	"bytes"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Recognise says which tool wrote a transcript, by its first records; head is
// the beginning of the file, some KiB of it. A record that head cuts off is
// judged by the members it has. The path is used only where records do not
// say: a file inside a place of a tool.
func (t *Table) Recognise(path string, head []byte) (tool string, ok bool) {
	for line := range bytes.Lines(head) {
		members := memberNames(line)
		for _, spec := range t.All() {
			if spec.Recognise.fits(members) {
				return spec.Tool, true
			}
		}
	}
	return "", false
}

func (r Recognition) fits(members []string) bool {
	return slices.ContainsFunc(r.Members, func(set []string) bool {
		return len(set) > 0 && !slices.ContainsFunc(set, func(name string) bool { return !slices.Contains(members, name) })
	})
}

func memberNames(line []byte) []string {
	var names []string
	for walker := transcript.Walk(line); ; {
		key, _, ok := walker.Next()
		if key != nil {
			names = append(names, string(key))
		}
		if !ok {
			return names
		}
	}
}
