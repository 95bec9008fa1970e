package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
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

// flowing is a text over several lines: what it is made of, so that it can be made shorter.
type flowing struct {
	label string
	list  []distiller.Statement
	lines int
}

// flow writes statements one behind the other over as many lines as they need, the heading
// they stand under once. A code span is not broken. Between sentences of one text that end
// with a full stop stands nothing.
func flow(label string, list []distiller.Statement) []line {
	out := flowed(label, list)
	if len(out) > 0 {
		out[0].begins = &flowing{label, list, len(out)}
	}
	return out
}

func flowed(label string, list []distiller.Statement) []line {
	var out []line
	room, under := 0, ""
	for i, s := range list {
		text := clean(s.Text)
		if text == "" {
			continue
		}
		if at := clean(s.Under); at != under {
			if under = at; at != "" {
				text = at + ": " + text
			}
		}
		if n := len(out) - 1; n >= 0 {
			if !strings.HasSuffix(out[n].text, ".") || under != "" || s.Source != list[i-1].Source {
				text = "· " + text
			}
			out[n].shared = append(out[n].shared, s.Source)
		}
		for _, word := range unbroken(text) {
			n := utf8.RuneCountInString(word) + 1
			if n > room {
				out = append(out, line{text: fallback(label, " "), source: s.Source, torn: label == ""})
				room, label = maxWidth-utf8.RuneCountInString(out[len(out)-1].text), ""
				word = width.Truncate(word, room-1)
			}
			last := &out[len(out)-1]
			last.text, room = last.text+" "+word, room-n
		}
	}
	return out
}

// unbroken are the words of a text, a code span with what it touches as one of them.
func unbroken(text string) []string {
	var out []string
	open := false
	for word := range strings.FieldsSeq(text) {
		if open {
			out[len(out)-1] += " " + word
		} else {
			out = append(out, word)
		}
		if strings.Count(word, "`")%2 == 1 {
			open = !open
		}
	}
	return out
}
