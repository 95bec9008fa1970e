package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// The bounds of the file, and of all that one hook answer may inject. Claude
// Code cuts at 10,000 characters, Codex at 10,000 bytes.
const (
	maxFileLines = 46
	maxFileBytes = 8000
	maxWidth     = 240 // runes a line
	maxLines     = 50
	maxBytes     = 9000
	maxSince     = 4
	maxSinceSize = 1000 // bytes
)

// candidate is a line that asks for room.
type candidate struct {
	section, index int
	worth          float64
}

// fit chooses what stands in the handoff: lines by worth, whatever section
// they are in, until lines or bytes are used up. A line never stands without
// the ones before it in its section. Returned is how many lines each section
// keeps, and the room that is left.
func fit(all []section, lines, bytes int, more func(n int) string) (kept []int, left room) {
	kept = make([]int, len(all))
	for _, c := range byWorth(all) {
		if kept[c.section] != c.index {
			continue // a better line of this section found no room
		}
		s := all[c.section]
		needLines, needBytes := 1, len(s.lines[c.index].text)+1
		if c.index == 0 {
			needLines, needBytes = 2, needBytes+len("## \n")+len(s.title)+len(more(999))
		}
		if needLines > lines || needBytes > bytes {
			continue
		}
		lines, bytes = lines-needLines, bytes-needBytes
		kept[c.section]++
	}
	return kept, room{lines, bytes}
}

func byWorth(all []section) []candidate {
	var out []candidate
	for i, s := range all {
		worth := s.weight
		for j, l := range s.lines {
			out = append(out, candidate{i, j, max(worth, l.worth)})
			worth *= s.decay
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	return out
}

// moreText counts what did not fit.
func moreText(session string) func(n int) string {
	return func(n int) string { return fmt.Sprintf(" (+%d more: carryover show %s)", n, session) }
}

// withMore puts the count behind a line, which gives way to it.
func withMore(text, more string) string {
	return width.Truncate(text, maxWidth-utf8.RuneCountInString(more)) + more
}

// size counts a text the way the bounds do.
func size(text string) (lines, bytes, width int) {
	for line := range strings.Lines(text) {
		width = max(width, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return strings.Count(text, "\n"), len(text), width
}
