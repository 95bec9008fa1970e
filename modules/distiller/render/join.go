package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
)

// between stands between the entries of one line.
const between = " · "

// entry is a line of a list: what it tells, behind the label of its kind.
func entry(label, text string, source distiller.Source) line {
	return line{text: "- " + label + text, label: label, source: source}
}

// joined puts entries that follow each other on a line while they fit: lines are
// what a handoff has fewest of. With all set every entry joins its neighbour,
// else those of one group do. A label is said again only where it changes.
func joined(lines []line, all bool) []line {
	var out []line
	for _, l := range lines {
		n := len(out) - 1
		rest, listed := strings.CutPrefix(l.text, "- ")
		if n < 0 || !listed || l.below || !joins(out[n], l, all) {
			out = append(out, l)
			continue
		}
		if l.label == out[n].label {
			rest = strings.TrimPrefix(rest, l.label)
		}
		if utf8.RuneCountInString(out[n].text+between+rest) > maxWidth {
			out = append(out, l)
			continue
		}
		out[n].text += between + rest
		out[n].label = l.label
		out[n].shared = append(slices.Clone(out[n].shared), l.source)
	}
	return out
}

func joins(before, l line, all bool) bool {
	return !before.below && strings.HasPrefix(before.text, "- ") && (all || l.group != "" && l.group == before.group)
}
