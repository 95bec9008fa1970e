// Package scan finds many keywords in one pass over a text, and tries small patterns
// where they stand.
package scan

import "strings"

// Words finds many keywords in one pass (Aho and Corasick, 1975), in any
// case of ASCII letters. The table is dense over classes of bytes: one load for
// each byte of text, whatever the number of keywords.
type Words struct {
	class   [256]uint8
	classes int
	next    []uint16   // state*classes + class: the next state, with found set when keywords end there
	ends    [][]uint16 // of each state: the keywords that end there, longest first
	lengths []int      // of each keyword
}

// found marks a transition into a state where a keyword ends.
const found = 1 << 15

// NewWords builds the table. Keywords are in lower case; there are fewer
// than 32,768 bytes in all of them.
func NewWords(keywords []string) *Words {
	a := &Words{classes: 1}
	for _, word := range keywords {
		a.lengths = append(a.lengths, len(word))
		for i := range len(word) {
			if a.class[word[i]] == 0 {
				a.class[word[i]] = uint8(a.classes)
				a.classes++
			}
		}
	}
	for b := byte('a'); b <= 'z'; b++ {
		a.class[b-'a'+'A'] = a.class[b]
	}
	a.addState()
	for n, word := range keywords {
		a.add(n, word)
	}
	a.link()
	return a
}

func (a *Words) addState() uint16 {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.ends = append(a.ends, nil)
	return uint16(len(a.ends) - 1)
}

func (a *Words) add(n int, word string) {
	state := uint16(0)
	for i := range len(word) {
		at := int(state)*a.classes + int(a.class[word[i]])
		if a.next[at] == 0 {
			to := a.addState()
			a.next[at] = to
		}
		state = a.next[at]
	}
	a.ends[state] = append(a.ends[state], uint16(n))
}

// link fills in, breadth first, where each state goes on when the text leaves
// the tree: where the longest suffix that is in the tree goes.
func (a *Words) link() {
	suffix := make([]uint16, len(a.ends))
	queue := make([]uint16, 0, len(a.ends))
	for c := range a.classes {
		if to := a.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for i := 0; i < len(queue); i++ {
		state := queue[i]
		back := suffix[state]
		a.ends[state] = append(a.ends[state], a.ends[back]...)
		for c := range a.classes {
			at, other := int(state)*a.classes+c, a.next[int(back)*a.classes+c]
			if to := a.next[at]; to != 0 {
				suffix[to] = other
				queue = append(queue, to)
			} else {
				a.next[at] = other
			}
		}
	}
	for i, to := range a.next {
		if len(a.ends[to]) > 0 {
			a.next[i] = to | found
		}
	}
}

// Length is how long a keyword is, in bytes.
func (a *Words) Length(keyword int) int { return a.lengths[keyword] }

// Walk calls hit for every keyword in the text with where it begins, in the
// order in which they end.
func (a *Words) Walk(text string, hit func(at, keyword int)) {
	state := 0
	for i := range len(text) {
		to := a.next[state*a.classes+int(a.class[text[i]])]
		state = int(to &^ found)
		if to&found == 0 {
			continue
		}
		for _, n := range a.ends[state] {
			hit(i+1-a.lengths[n], int(n))
		}
	}
}

// Fold is the text in lower case, ASCII alone, as Words sees it.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
