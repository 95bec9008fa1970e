package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// needs are the literals of which one stands in every text that a regular
// expression matches: looking for them is much cheaper than matching, and most
// texts hold none.
type needs struct {
	literals []string // none: any text may match
	fold     bool     // the literals are in lower case, and ASCII letters of a text count so, too
}

// maxExact is how many texts a part of a pattern may match to be listed whole.
const maxExact = 16

// needsOf reads the needs off a pattern.
func needsOf(tree *syntax.Regexp) needs {
	f := finder{fold: folds(tree)}
	found := f.part(tree)
	return needs{found.any(), f.fold}
}

// folds says that a part of a pattern ignores case: then all of it is taken so,
// which asks less of a text than the pattern does.
func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

type finder struct{ fold bool }

// part is what is known of a part of a pattern: all texts it matches, when they
// are few, else literals of which each such text holds one.
type part struct{ exact, need []string }

// nothing is a part that matches the empty text alone: a place, as ^ and \b.
var nothing = part{exact: []string{""}}

// any are the literals of a part, nil for none.
func (p part) any() []string {
	if p.exact == nil {
		return p.need
	}
	if slices.Contains(p.exact, "") {
		return nil
	}
	return p.exact
}

func (f finder) part(re *syntax.Regexp) part {
	switch re.Op {
	case syntax.OpLiteral:
		return f.literal(re.Rune)
	case syntax.OpCharClass:
		return f.class(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return nothing
	case syntax.OpCapture:
		return f.part(re.Sub[0])
	case syntax.OpPlus:
		return part{need: f.part(re.Sub[0]).any()}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return part{need: f.part(re.Sub[0]).any()}
		}
	case syntax.OpQuest:
		if sub := f.part(re.Sub[0]); sub.exact != nil && len(sub.exact) < maxExact {
			return part{exact: append(slices.Clone(sub.exact), "")}
		}
	case syntax.OpConcat:
		return f.concat(re.Sub)
	case syntax.OpAlternate:
		return f.alternate(re.Sub)
	}
	return part{}
}

func (f finder) literal(runes []rune) part {
	text := string(runes)
	if slices.Contains(runes, utf8.RuneError) || f.fold && !ascii(text) {
		return part{}
	}
	if f.fold {
		text = strings.ToLower(text)
	}
	return part{exact: []string{text}}
}

// class lists the characters of a small class: pairs of the first and the last
// of a range.
func (f finder) class(ranges []rune) part {
	var out []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if f.fold && (r == longS || r == kelvin) {
				continue // a text that holds one is always matched
			}
			one := f.literal([]rune{r})
			if one.exact == nil || len(out) == maxExact/2 {
				return part{}
			}
			if !slices.Contains(out, one.exact[0]) {
				out = append(out, one.exact[0])
			}
		}
	}
	return part{exact: out}
}

func (f finder) concat(subs []*syntax.Regexp) part {
	var best []string
	take := func(found []string) {
		if shortest(found) > shortest(best) || shortest(found) == shortest(best) && len(found) < len(best) {
			best = found
		}
	}
	run, whole := nothing, true
	for _, sub := range subs {
		next := f.part(sub)
		if next.exact != nil && len(next.exact)*len(run.exact) <= maxExact {
			run = part{exact: joined(run.exact, next.exact)}
			continue
		}
		whole = false
		take(run.any())
		if run = next; next.exact == nil {
			take(next.need)
			run = nothing
		}
	}
	if whole {
		return run
	}
	take(run.any())
	return part{need: best}
}

// joined is every text of the first list followed by every one of the second.
func joined(first, second []string) []string {
	var out []string
	for _, a := range first {
		for _, b := range second {
			out = append(out, a+b)
		}
	}
	return out
}

func (f finder) alternate(subs []*syntax.Regexp) part {
	all, exact := []string{}, true
	for _, sub := range subs {
		found := f.part(sub)
		if exact = exact && found.exact != nil; exact {
			all = append(all, found.exact...)
			continue
		}
		if slices.Contains(all, "") || found.any() == nil {
			return part{}
		}
		all = append(all, found.any()...)
	}
	if exact && len(all) <= maxExact {
		return part{exact: all}
	}
	if slices.Contains(all, "") {
		return part{}
	}
	return part{need: all}
}

func shortest(list []string) int {
	if len(list) == 0 {
		return 0
	}
	n := len(list[0])
	for _, s := range list[1:] {
		n = min(n, len(s))
	}
	return n
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// The two characters outside of ASCII that are the same as a letter of it where
// case is ignored: s and k.
const (
	longS  = 'ſ'
	kelvin = '\u212a'
)

// firstOf are the bytes that a match may begin with, nil when a pattern may
// match anywhere in a text or match nothing at its start.
func firstOf(tree *syntax.Regexp) *[256]bool {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil || prog.StartCond()&syntax.EmptyBeginText == 0 {
		return nil
	}
	var set [256]bool
	if !firsts(prog, uint32(prog.Start), &set, map[uint32]bool{}) {
		return nil
	}
	return &set
}

// firsts adds the bytes that an instruction may begin with; false when it may
// end the match.
func firsts(prog *syntax.Prog, at uint32, set *[256]bool, seen map[uint32]bool) bool {
	if seen[at] {
		return true
	}
	seen[at] = true
	inst := &prog.Inst[at]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return firsts(prog, inst.Out, set, seen) && firsts(prog, inst.Arg, set, seen)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		return firsts(prog, inst.Out, set, seen)
	case syntax.InstMatch:
		return false
	case syntax.InstFail:
		return true
	}
	for b := range utf8.RuneSelf {
		if inst.MatchRune(rune(b)) {
			set[b] = true
		}
	}
	for b := utf8.RuneSelf; b < 256; b++ {
		set[b] = true // the first byte of many characters
	}
	return true
}
