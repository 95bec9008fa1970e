package lazyregexp

import (
	"slices"
	"strings"
)

// Literals tells whether one of many texts stands in another one, in one pass
// over it. The zero value and nil know none.
type Literals struct{ found *literals }

// NewLiterals joins texts.
func NewLiterals(texts ...string) *Literals {
	var all []literal
	for _, text := range texts {
		all = append(all, literal{text, Mask{1}})
	}
	return &Literals{newLiterals(all, false)}
}

// Any says that one of the texts stands in s. True is only a guess where there
// are too many of them to be joined.
func (l *Literals) Any(s string) bool {
	return l != nil && (l.found == nil || l.found.any(s))
}

// literals finds which of many literals stand in a text, in one pass over it
// (the automaton of Aho and Corasick, over classes of bytes).
type literals struct {
	class  [256]uint8
	width  int      // classes
	next   []uint16 // by state and class
	found  []uint16 // by state: the number of its set, 0 for none
	sets   []Mask   // by number: whose literals end here
	states int
}

// literal is a text with those that need it.
type literal struct {
	text string
	of   Mask
}

// newLiterals builds the automaton; nil when it would be too large.
func newLiterals(list []literal, fold bool) *literals {
	l := &literals{width: 1, sets: []Mask{{}}}
	size := 1
	for _, one := range list {
		size += len(one.text)
		for i := range len(one.text) {
			if b := one.text[i]; l.class[b] == 0 && l.width < len(l.class) {
				l.class[b] = uint8(l.width)
				l.width++
			}
		}
	}
	if size > 1<<16 || l.width == len(l.class) {
		return nil
	}
	if fold {
		for b := 'A'; b <= 'Z'; b++ {
			l.class[b] = l.class[b|0x20]
		}
	}
	l.states, l.next, l.found = 1, make([]uint16, size*l.width), make([]uint16, size)
	for _, one := range list {
		l.insert(one)
	}
	l.link()
	return l
}

func (l *literals) insert(one literal) {
	at := uint16(0)
	for i := range len(one.text) {
		step := &l.next[int(at)*l.width+int(l.class[one.text[i]])]
		if *step == 0 {
			*step = uint16(l.states)
			l.states++
		}
		at = *step
	}
	l.found[at] = l.set(l.sets[l.found[at]].with(one.of))
}

// set is the number of a set.
func (l *literals) set(m Mask) uint16 {
	if at := slices.Index(l.sets, m); at >= 0 {
		return uint16(at)
	}
	l.sets = append(l.sets, m)
	return uint16(len(l.sets) - 1)
}

// link gives every state the steps of the longest end of it that begins a
// literal, so that no byte is read twice.
func (l *literals) link() {
	back := make([]uint16, l.states)
	var queue []uint16
	for _, to := range l.next[:l.width] {
		if to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		l.found[at] = l.set(l.sets[l.found[at]].with(l.sets[l.found[back[at]]]))
		for c := range l.width {
			step, other := &l.next[int(at)*l.width+c], l.next[int(back[at])*l.width+c]
			if *step == 0 {
				*step = other
				continue
			}
			back[*step] = other
			queue = append(queue, *step)
		}
	}
}

// any says that one of the literals stands in a text.
func (l *literals) any(text string) bool {
	at := 0
	for i := range len(text) {
		at = int(l.next[at*l.width+int(l.class[text[i]])])
		if l.found[at] != 0 {
			return true
		}
	}
	return false
}

// all are those of whom a literal stands in a text.
func (l *literals) all(text string) Mask {
	var m Mask
	at := 0
	for i := range len(text) {
		at = int(l.next[at*l.width+int(l.class[text[i]])])
		if n := l.found[at]; n != 0 {
			m = m.with(l.sets[n])
		}
	}
	return m
}

// folded says that a text has a character that is another letter where case is
// ignored, which the automaton does not know.
func folded(text string) bool {
	return strings.Contains(text, string(longS)) || strings.Contains(text, string(kelvin))
}
