package dialogue

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// option is a labelled line before it is known to be one of a run.
type option struct {
	word, label, text string
}

// optionsNear is the last run of labels 1, 2, … or A, B, … in the lines: of
// those that have a word before the label ("Option A") before plain ones. With it
// comes that word, in lower case.
func optionsNear(lines []string, at int) (_ []distiller.Option, word string) {
	var worded, bare runs
	for i, line := range lines {
		if i == at && len(prose.SplitSentences(line)) > 1 {
			continue
		}
		m := labelled.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		o := option{word: strings.ToLower(m[1]), label: strings.ToUpper(m[2]), text: prose.Plain(strings.ReplaceAll(strings.Trim(m[3], "| "), "|", "—"))}
		if o.word != "" {
			worded.add(o)
		} else {
			bare.add(o)
		}
	}
	for _, list := range [][]option{worded.last(), bare.last()} {
		if len(list) > 1 {
			var out []distiller.Option
			for _, o := range list[:min(len(list), maxOptions)] {
				out = append(out, distiller.Option{Label: o.label, Text: prose.Clip(o.text, optionRunes)})
			}
			return out, list[0].word
		}
	}
	return nil, ""
}

// bulletsAbove are the entries without labels of a short list that stands right above a
// question: they are nearer to it than any list with labels before them.
func bulletsAbove(lines []string, at int) []distiller.Option {
	from := at
	for from > 0 && prose.IsBullet(strings.TrimSpace(lines[from-1])) && !labelled.MatchString(strings.TrimSpace(lines[from-1])) {
		from--
	}
	if from == 0 || at-from > maxBullets || !strings.HasSuffix(strings.Trim(lines[from-1], " *_"), ":") {
		return nil
	}
	var out []distiller.Option
	for i, line := range lines[from:at] {
		text, _ := prose.TrimBullet(strings.TrimSpace(line))
		out = append(out, distiller.Option{Label: letter(i), Text: prose.Clip(prose.Plain(text), optionRunes)})
	}
	return out
}

// IsLabelled says that a line begins with the label of an option: "Option 2: …", "B) …".
func IsLabelled(line string) bool { return labelled.MatchString(strings.TrimSpace(line)) }

// maxBullets is how many entries a list has at most that a question leaves to choose from.
const maxBullets = 4

// runs are options whose labels follow each other: the list that is being read, and
// the last one before it that had more than one.
type runs struct{ now, whole []option }

// add goes on with a run, or begins a new one.
func (r *runs) add(o option) {
	switch n := len(r.now); {
	case o.label == "1" || o.label == "A":
		r.whole, r.now = r.last(), []option{o}
	case n > 0 && follows(r.now[n-1].label, o.label) && r.now[n-1].word == o.word:
		r.now = append(r.now, o)
	}
}

// last is the last list: an entry alone is said again of an earlier one.
func (r *runs) last() []option {
	if len(r.now) > 1 {
		return r.now
	}
	return r.whole
}

func follows(a, b string) bool {
	if allDigits(a) && allDigits(b) {
		return number(b) == number(a)+1
	}
	return len(a) == 1 && len(b) == 1 && b[0] == a[0]+1 && !allDigits(b)
}

func number(s string) int {
	n := 0
	for _, r := range s {
		n = n*10 + int(r-'0')
	}
	return n
}

var optionNamed = lazyregexp.New(`(?:^|[\s("'#*])(\d|[A-H])(?:[\s)"'*/?？.,、:]|$)`)

// labelNamed is the label a sentence names, "" for none.
func labelNamed(s string) string {
	if m := optionNamed.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// pointsAt says that a question is about the labelled entries and not about
// what stands in it: it names one, points back, or says too little of its own.
func pointsAt(question string, list []distiller.Option, behind bool, lex *words.Lexicon) bool {
	if slices.ContainsFunc(list, func(o distiller.Option) bool { return o.Text == question }) {
		return false // a list of questions
	}
	if named := labelNamed(question); named != "" {
		return slices.ContainsFunc(list, func(o distiller.Option) bool { return o.Label == named })
	}
	if one, other, found := lex.Split(words.Either, question); found && !behind && lex.Weight(one) > 1 && lex.Weight(other) > 1 && (!lex.In(words.Pointer, one) || lex.Weight(one) >= vagueQuestion) {
		return false // it says itself what there is to choose
	}
	return behind || lex.Weight(question) <= 3 || lex.In(words.Pointer, question)
}

// meansAdvice says that a question asks whether to do what the reply advised, of its labelled
// entries, or something else: "Shall I apply that, or …?"
func meansAdvice(question string, list []distiller.Option, lines []string, lex *words.Lexicon) bool {
	one, _, found := lex.Split(words.Either, question)
	return found && lex.In(words.Pointer, one) && lex.Weight(one) < vagueQuestion && advised(list, lines, lex) >= 0
}

// advised is which option a reply advises, -1 for none.
func advised(list []distiller.Option, lines []string, lex *words.Lexicon) int {
	for i, o := range list {
		if lex.In(words.Recommend, o.Text) {
			return i
		}
	}
	for _, line := range slices.Backward(lines) {
		for _, s := range slices.Backward(prose.SplitSentences(line)) {
			if label := strings.ToUpper(labelNamed(s)); label != "" && lex.In(words.Recommend, s) {
				return slices.IndexFunc(list, func(o distiller.Option) bool { return o.Label == label })
			}
		}
	}
	return -1
}

// Advised is the option that the reply advises, nil for none.
func (a *Question) Advised() *distiller.Option {
	for i := range a.Options {
		if a.Options[i].Recommended {
			return &a.Options[i]
		}
	}
	return nil
}
