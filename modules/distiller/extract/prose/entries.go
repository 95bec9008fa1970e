package prose

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Lists are for each sentence the place of the list that it is an entry of, from one on, and
// how many entries that has which say something by themselves: not those that head others.
func Lists(said []Statement) (list, of []int) {
	list, of = make([]int, len(said)), make([]int, len(said))
	for begin, i := 0, 0; begin < len(said); begin, i = max(i, begin+1), max(i, begin+1) {
		for i < len(said) && said[i].Bullet && said[i].Heading == said[begin].Heading {
			i++
		}
		telling := 0
		for j := begin; j < i; j++ {
			if strings.TrimRight(said[j].Text, ":：") == said[j].Text {
				telling++
			}
		}
		for j := begin; j < i; j++ {
			list[j], of[j] = begin+1, telling
		}
	}
	return list, of
}

// IsCode says that a sentence is a line of code that stands among the text.
func IsCode(text string) bool {
	return strings.HasSuffix(text, ";") || strings.HasSuffix(text, "{") || strings.HasPrefix(text, "}") || codeLine.MatchString(text)
}

// codeLine is what lines of many languages look like, and no sentence does: a shebang, a name that is
// given a value, an import, a call alone, a value that is returned, a condition or a loop with
// brackets, a comparison outside of a code span.
var codeLine = lazyregexp.New(`^#!|^[A-Za-z_][\w.]*(?:: ?\w+)? ?= ?\S|^from [\w.]+ import |^[A-Za-z_][\w.]*\([^)]*\)$|` +
	`^(?:return|yield|raise|throw) (?:[\w.]*[(\["'_]|\w+$)[^.]*$|^(?:if|elif|for|while|with|def|class|except|switch|case)\b.*[)\]"'\w]:$|^[^` + "`" + `]*\S (?:==|!=|&&) \S`)

// HeadsList says that a sentence ends in a colon and heads the entries behind it.
func HeadsList(said []Statement, i int) bool {
	lead := strings.TrimRight(said[i].Text, ":：")
	return lead != said[i].Text && i+1 < len(said) && said[i+1].Bullet && said[i+1].Heading == lead
}
