package verdict

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// lineForm is a regular expression for one line, with the literals of which
// one stands in every line it matches: most lines hold none, and comparing is
// much cheaper than matching.
type lineForm struct {
	pattern *regexp.Regexp
	needs   []string
}

func form(pattern string) lineForm {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err) // a table of this package
	}
	return lineForm{regexp.MustCompile(pattern), needed(tree)}
}

func forms(patterns ...string) []lineForm {
	var out []lineForm
	for _, p := range patterns {
		out = append(out, form(p))
	}
	return out
}

// signs reads a table of names of tools, for its reader, and forms.
func signs(table ...string) []lineForm {
	var out []lineForm
	for i := 1; i < len(table); i += 2 {
		out = append(out, form(table[i]))
	}
	return out
}

func (f lineForm) in(line string) bool {
	if len(f.needs) == 0 {
		return f.pattern.MatchString(line)
	}
	for _, literal := range f.needs {
		if strings.Contains(line, literal) {
			return f.pattern.MatchString(line)
		}
	}
	return false
}

func anyIn(list []lineForm, line string) bool {
	for _, f := range list {
		if f.in(line) {
			return true
		}
	}
	return false
}

// needed are literals of which one is in every match; nil when there are none.
func needed(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if found := needed(sub); shortest(found) > shortest(best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			found := needed(sub)
			if len(found) == 0 {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
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
