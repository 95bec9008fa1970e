package lazyregexp_test

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// writer makes texts that a pattern matches, by chance.
type writer struct {
	*rand.Rand
	strings.Builder
}

func (w *writer) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			text = []string{text, strings.ToUpper(text), strings.ToLower(text), strings.NewReplacer("k", "K", "s", "ſ").Replace(text)}[w.IntN(4)]
		}
		w.WriteString(text)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			at := w.IntN(len(re.Rune)/2) * 2
			w.WriteRune(re.Rune[at] + w.Int32N(min(re.Rune[at+1]-re.Rune[at], 200)+1))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.WriteString([]string{"x", "é", " ", "7"}[w.IntN(4)])
	case syntax.OpStar, syntax.OpQuest, syntax.OpPlus, syntax.OpRepeat:
		least := map[syntax.Op]int{syntax.OpPlus: 1, syntax.OpRepeat: re.Min}[re.Op]
		for range least + w.IntN(2) {
			w.write(re.Sub[0])
		}
	case syntax.OpAlternate:
		w.write(re.Sub[w.IntN(len(re.Sub))])
	default:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	}
}

// texts are texts that the pattern likely matches, alone and among others.
func texts(t *testing.T, pattern string) []string {
	t.Helper()
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{"", "x"}
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2))}
	for range 60 {
		w.Reset()
		w.write(tree)
		one := w.String()
		out = append(out, one, "a "+one+" z", one+"\n"+one, strings.ToUpper(one), one[:len(one)/2])
	}
	return out
}

// Whatever is looked for first, the answer is that of package regexp.
func TestRegexp_AnswersAsPackageRegexp(t *testing.T) {
	matches := 0
	for _, r := range lazyregexp.All() {
		plain := regexp.MustCompile(r.String())
		for _, text := range texts(t, r.String()) {
			want := plain.FindStringIndex(text)
			if got := r.FindStringIndex(text); (got == nil) != (want == nil) || got != nil && (got[0] != want[0] || got[1] != want[1]) {
				t.Errorf("%s on %q: %v, want %v", r, text, got, want)
			}
			if got := r.ReplaceAllString(text, "_"); got != plain.ReplaceAllString(text, "_") {
				t.Errorf("%s on %q: replaced to %q", r, text, got)
			}
			if want != nil {
				matches++
			}
		}
	}
	if matches < 10_000 {
		t.Errorf("%d matches: the texts test little", matches)
	}
}

func TestSet_LeavesOutOnlyWhatDoesNotMatch(t *testing.T) {
	all := lazyregexp.All()
	ruled, held := 0, 0
	for len(all) > 0 {
		list := all[:min(len(all), lazyregexp.MaxSet)]
		all = all[len(list):]
		set := lazyregexp.NewSet(list...)
		for _, r := range list {
			for _, text := range texts(t, r.String())[:60] {
				may := set.May(text)
				for n, other := range list {
					held++
					if may.Has(n) {
						continue
					}
					if ruled++; other.MatchString(text) {
						t.Fatalf("%s matches %q, and was ruled out", other, text)
					}
				}
			}
		}
	}
	if ruled*10 < held*9 {
		t.Errorf("%d of %d were ruled out: nothing is won", ruled, held)
	}
}
