package lazyregexp

import "sync"

// Mask are numbers of the regular expressions of a Set.
type Mask [2]uint64

// MaxSet is how many regular expressions a Set may have.
const MaxSet = 128

func (m Mask) with(other Mask) Mask { return Mask{m[0] | other[0], m[1] | other[1]} }

// Has says that a number is among them.
func (m Mask) Has(n int) bool { return m[n>>6]&(1<<(n&63)) != 0 }

// Empty says that there are none.
func (m Mask) Empty() bool { return m[0]|m[1] == 0 }

func (m *Mask) add(n int) { m[n>>6] |= 1 << (n & 63) }

// Set are regular expressions that the same texts are held against: one pass
// over a text tells which of them may match at all.
type Set struct {
	list  []*Regexp
	tests func() *setTests
}

type setTests struct {
	always Mask // have no literals
	exact  *literals
	fold   *literals
	folds  Mask // those of fold
	first  [256]Mask
}

// NewSet joins at most MaxSet regular expressions; their numbers are their places.
func NewSet(list ...*Regexp) *Set {
	if len(list) > MaxSet {
		panic("lazyregexp: too many for a set") // a table of a package
	}
	s := &Set{list: list}
	s.tests = sync.OnceValue(s.prepare)
	return s
}

// SetOf is the set of a table whose rows have a regular expression each; their numbers
// are those of the rows.
func SetOf[Row any](table []Row, pattern func(Row) *Regexp) *Set {
	list := make([]*Regexp, len(table))
	for n, row := range table {
		list[n] = pattern(row)
	}
	return NewSet(list...)
}

func (s *Set) prepare() *setTests {
	t := &setTests{}
	var exact, fold []literal
	for n, r := range s.list {
		c := r.compile()
		var only Mask
		only.add(n)
		for _, text := range c.needs.literals {
			if c.needs.fold {
				fold = append(fold, literal{text, only})
			} else {
				exact = append(exact, literal{text, only})
			}
		}
		switch {
		case len(c.needs.literals) == 0:
			t.always.add(n)
		case c.needs.fold:
			t.folds.add(n)
		}
		for b := range t.first {
			if c.first == nil || c.first[b] {
				t.first[b].add(n)
			}
		}
	}
	t.exact, t.fold = t.joined(exact, false), t.joined(fold, true)
	return t
}

// joined are literals in one; those that are too many are taken to be in every
// text.
func (t *setTests) joined(list []literal, fold bool) *literals {
	if len(list) == 0 {
		return nil
	}
	all := newLiterals(list, fold)
	if all == nil {
		for _, one := range list {
			t.always = t.always.with(one.of)
		}
	}
	return all
}

// May are those that may match a text: none other does.
func (s *Set) May(text string) Mask {
	t := s.tests()
	m := t.always
	if t.exact != nil {
		m = m.with(t.exact.all(text))
	}
	if t.fold != nil {
		if folded(text) {
			m = m.with(t.folds)
		} else {
			m = m.with(t.fold.all(text))
		}
	}
	if text != "" {
		first := t.first[text[0]]
		m[0] &= first[0]
		m[1] &= first[1]
	}
	return m
}
