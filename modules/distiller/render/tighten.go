package render

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller"
)

// tightened is a section of which so many lines have room, and how many then stand. Where its first
// text over several lines would be cut it is made shorter instead, for what a reply comes to stands
// at its end: the sentences that say least are left out.
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
		s.lines = slices.Concat(s.lines[:at], short, s.lines[at+l.begins.lines:])
		return s, at + len(short)
	}
	return s, kept
}

// shorter is a text in so many lines, nil where that is too few to say anything.
func shorter(f flowing, lines int) []line {
	list := slices.Clone(f.list)
	for lines >= leastLines && len(list) > lines {
		at := lightest(list)
		list = slices.Delete(list, at, at+1)
		if out := flowed(f.label, list); len(out) <= lines {
			return out
		}
	}
	return nil
}

// lightest is the sentence that says least, of several the one nearest to the middle; the first and the
// last stay.
func lightest(list []distiller.Statement) int {
	middle := len(list) / 2
	best := middle
	for i := 1; i < len(list)-1; i++ {
		apart, nearest := max(i-middle, middle-i), max(best-middle, middle-best)
		if list[i].Weight < list[best].Weight || list[i].Weight == list[best].Weight && apart < nearest {
			best = i
		}
	}
	return best
}

// leastLines is in how many lines a text is shown again.
const leastLines = 2
