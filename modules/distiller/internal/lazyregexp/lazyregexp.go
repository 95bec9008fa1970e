// Package lazyregexp compiles regular expressions when they are first used. The
// distiller has some hundred and fifty: compiled as the program starts they cost
// every command 10 ms of processor time, and most commands distil nothing. Before
// one is run over a text, the text is looked through for what every match must
// hold, which most texts do not: the answers are those of package regexp.
package lazyregexp

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use. Its methods
// are those of regexp.Regexp.
type Regexp struct {
	pattern string
	compile func() *compiled
}

// compiled is a regular expression with what every match must hold.
type compiled struct {
	*regexp.Regexp

	needs needs
	one   string     // the only literal it needs
	many  *literals  // those it needs, when there are several
	first *[256]bool // what the text must begin with, nil for anything
}

var made []*Regexp // all there are; packages are initialised one after another

// New returns a regular expression, for a variable of a package. One that is not
// valid panics at its first use: tests compile them All.
func New(pattern string) *Regexp {
	r := &Regexp{pattern, sync.OnceValue(func() *compiled { return compile(pattern) })}
	made = append(made, r)
	return r
}

func compile(pattern string) *compiled {
	c := &compiled{Regexp: regexp.MustCompile(pattern)}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err) // it was compiled above
	}
	c.needs, c.first = needsOf(tree), firstOf(tree)
	switch list := c.needs.literals; {
	case len(list) == 1 && !c.needs.fold:
		c.one = list[0]
	case len(list) > 0:
		var all []literal
		for _, text := range list {
			all = append(all, literal{text, Mask{1}})
		}
		c.many = newLiterals(all, c.needs.fold)
	}
	return c
}

// may says that a text may have a match: without what it needs it has none.
func (c *compiled) may(s string) bool {
	switch {
	case c.first != nil && (s == "" || !c.first[s[0]]):
		return false
	case c.one != "":
		return strings.Contains(s, c.one)
	case c.many != nil:
		return c.many.any(s) || c.needs.fold && folded(s)
	}
	return true
}

// in is the compiled expression, nil for a text that has no match.
func (r *Regexp) in(s string) *regexp.Regexp {
	if c := r.compile(); c.may(s) {
		return c.Regexp
	}
	return nil
}

// All returns the regular expressions of all packages that are linked in.
func All() []*Regexp { return made }

// String returns the pattern.
func (r *Regexp) String() string { return r.pattern }

// MatchString reports whether s has a match.
func (r *Regexp) MatchString(s string) bool {
	re := r.in(s)
	return re != nil && re.MatchString(s)
}

// FindString returns the first match, "" without one.
func (r *Regexp) FindString(s string) string {
	if re := r.in(s); re != nil {
		return re.FindString(s)
	}
	return ""
}

// FindStringIndex returns where the first match stands, nil without one.
func (r *Regexp) FindStringIndex(s string) []int {
	if re := r.in(s); re != nil {
		return re.FindStringIndex(s)
	}
	return nil
}

// FindStringSubmatch returns the first match and its groups, nil without one.
func (r *Regexp) FindStringSubmatch(s string) []string {
	if re := r.in(s); re != nil {
		return re.FindStringSubmatch(s)
	}
	return nil
}

// FindStringSubmatchIndex returns where the first match and its groups stand.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if re := r.in(s); re != nil {
		return re.FindStringSubmatchIndex(s)
	}
	return nil
}

// FindAllString returns at most n matches, all when n is negative.
func (r *Regexp) FindAllString(s string, n int) []string {
	if re := r.in(s); re != nil {
		return re.FindAllString(s, n)
	}
	return nil
}

// FindAllStringIndex returns where at most n matches stand.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if re := r.in(s); re != nil {
		return re.FindAllStringIndex(s, n)
	}
	return nil
}

// FindAllStringSubmatch returns at most n matches with their groups.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if re := r.in(s); re != nil {
		return re.FindAllStringSubmatch(s, n)
	}
	return nil
}

// FindAllStringSubmatchIndex returns where at most n matches and their groups stand.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if re := r.in(s); re != nil {
		return re.FindAllStringSubmatchIndex(s, n)
	}
	return nil
}

// ReplaceAllString replaces every match; $1 in the replacement is its first group.
func (r *Regexp) ReplaceAllString(s, replacement string) string {
	if re := r.in(s); re != nil {
		return re.ReplaceAllString(s, replacement)
	}
	return s
}

// ReplaceAllStringFunc replaces every match by what the function makes of it.
func (r *Regexp) ReplaceAllStringFunc(s string, replace func(string) string) string {
	if re := r.in(s); re != nil {
		return re.ReplaceAllStringFunc(s, replace)
	}
	return s
}

// Split cuts s at the matches into at most n parts, all when n is negative.
func (r *Regexp) Split(s string, n int) []string { return r.compile().Split(s, n) }
