package render

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
)

// tightened is a section of which so many lines have room, and how many then stand. Where its first
// text over several lines would be cut it is made shorter instead, for what a reply comes to stands
// at its end: each of its sentences is shortened, and if need be some from its middle are left out.
func tightened(s section, kept int, finish func(*line)) (section, int) {
	for at, l := range s.lines[:kept] {
		if l.begins == nil {
			continue
		}
		if at+l.begins.lines <= kept {
			return s, kept
		}
		short := shorter(*l.begins, kept-at)
		if short == nil {
			return s, kept
		}
		for i := range short {
			finish(&short[i])
		}
		lines := slices.Concat(s.lines[:at], short, s.lines[at+l.begins.lines:])
		s.lines = lines
		return s, at + len(short)
	}
	return s, kept
}

// sentenceWidths are how long a sentence of such a text may be, in runes.
var sentenceWidths = []int{200, 160}

// shorter is a text in so many lines, nil where that is too few to say anything.
func shorter(f flowing, lines int) []line {
	if lines < leastLines {
		return nil
	}
	var list []distiller.Statement
	for _, width := range sentenceWidths {
		list = clippedTo(f.list, width)
		if out := flowed(f.label, list); len(out) <= lines {
			return out
		}
	}
	for len(list) > lines {
		list = slices.Delete(list, len(list)/3, len(list)/3+1)
		if out := flowed(f.label, list); len(out) <= lines {
			return out
		}
	}
	return nil
}

// leastLines is in how many lines a text is told anew.
const leastLines = 2

func clippedTo(list []distiller.Statement, width int) []distiller.Statement {
	out := slices.Clone(list)
	for i := range out {
		out[i].Text = truncate(clean(out[i].Text), width)
	}
	return out
}
