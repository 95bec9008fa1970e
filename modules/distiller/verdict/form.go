package verdict

import (
	"sync"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// lineForm is a regular expression for one line. Every line is held against all
// of them, and one pass over it tells which few may match.
type lineForm struct {
	pattern *lazyregexp.Regexp
	number  int // in allForms
}

var patterns []*lazyregexp.Regexp // of all forms, by number

// allForms joins the forms.
var allForms = sync.OnceValue(func() *lazyregexp.Set { return lazyregexp.NewSet(patterns...) })

func form(pattern string) lineForm {
	f := lineForm{lazyregexp.New(pattern), len(patterns)}
	patterns = append(patterns, f.pattern)
	return f
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

// textLine is a line with the forms that may match it.
type textLine struct {
	text string
	may  lazyregexp.Mask
}

func lineOf(text string) textLine { return textLine{text, allForms().May(text)} }

func (f lineForm) in(line textLine) bool {
	return line.may.Has(f.number) && f.pattern.MatchString(line.text)
}

func anyIn(list []lineForm, line textLine) bool {
	if line.may.Empty() {
		return false
	}
	for _, f := range list {
		if f.in(line) {
			return true
		}
	}
	return false
}
