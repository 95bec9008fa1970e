package dialogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// Picked are the options an answer points to, in the order of the options: by
// label ("2", "option B", "#1"), by ordinal ("the second"), or all of them
// ("both").
func (a *Question) Picked(answer string, lex *words.Lexicon) []distiller.Option {
	if len(Points(answer)) > 1 || prose.IsQuestion(answer) && !statesFirst(answer) && !lex.Begins(words.Yes, answer) {
		return nil
	}
	head := prose.Clip(strings.TrimSpace(answer), 80)
	if len(a.Options) == 0 {
		return a.pickedBeside(head)
	}
	labels := labelsIn(head)
	for label := range a.ordinals(head, lex) {
		labels[label] = true
	}
	if len(labels) == 0 && a.allMeant(head, lex) && utf8.RuneCountInString(answer) < 60 {
		return slices.Clone(a.Options)
	}
	return withLabels(a.Options, labels)
}

// withLabels are the options that have one of the labels, in their order.
func withLabels(options []distiller.Option, labels map[string]bool) []distiller.Option {
	var chosen []distiller.Option
	for _, o := range options {
		if labels[o.Label] {
			chosen = append(chosen, o)
		}
	}
	return chosen
}

// statesFirst says that a text begins with a sentence that is no question.
func statesFirst(text string) bool {
	all := prose.SplitSentences(strings.TrimSpace(text))
	return len(all) > 1 && !prose.IsQuestion(all[0])
}

// ordinals are the labels of the options that a text names by their order. What it also
// says of another option's subject ("archive first") puts that in order and chooses none.
func (a *Question) ordinals(head string, lex *words.Lexicon) map[string]bool {
	out := map[string]bool{}
	last := len(a.Options) - 1
	for i, sentence := range prose.SplitSentences(head) {
		named := map[string]bool{}
		for nth, class := range []words.Class{words.First, words.Second, words.Third, words.Fourth} {
			if nth <= last && lex.In(class, sentence) {
				named[a.Options[nth].Label] = true
			}
		}
		if i == 0 && lex.In(words.Last, prose.Clip(sentence, 40)) {
			named[a.Options[last].Label] = true
		}
		said := WordsOf(sentence, lex)
		about := func(o distiller.Option) bool { return Overlap(said, WordsOf(o.Text, lex)) > 0 }
		others := slices.ContainsFunc(a.Options, func(o distiller.Option) bool { return !named[o.Label] && about(o) })
		for _, o := range a.Options {
			if named[o.Label] && (!others || about(o)) {
				out[o.Label] = true
			}
		}
	}
	return out
}

// allMeant says that a text points to every option: a word for two of them does so where
// there are two.
func (a *Question) allMeant(head string, lex *words.Lexicon) bool {
	return lex.In(words.All, head) || len(a.Options) == 2 && lex.In(words.Both, head)
}

// AnswersAll says that a text says yes to each of several questions: "yes to both".
func (a *Question) AnswersAll(text string, lex *words.Lexicon) bool {
	return len(a.Also) > 0 && len(a.Options) == 0 && lex.Begins(words.Yes, text) && lex.Weight(text) <= shortYes && (lex.In(words.All, text) || len(a.Also) == 1 && lex.In(words.Both, text))
}

// shortYes is how many words of content a yes has at most that says nothing besides.
const shortYes = 3

// pickedBeside are the entries of the list that a reply gave beside its question, where an
// answer is nothing but their labels, or names them by the word the list does
// ("option 1").
func (a *Question) pickedBeside(head string) []distiller.Option {
	labels := map[string]bool{}
	if utf8.RuneCountInString(head) <= bareLabel {
		labels = labelsIn(head)
	} else if a.besideWord != "" {
		low := strings.ToLower(head)
		for _, o := range a.beside {
			if _, behind, found := strings.Cut(low, a.besideWord+" "+strings.ToLower(o.Label)); found {
				next, _ := utf8.DecodeRuneInString(behind)
				labels[o.Label] = behind == "" || !unicode.IsLetter(next) && !unicode.IsDigit(next)
			}
		}
	}
	return withLabels(a.beside, labels)
}

// bareLabel is how long an answer is at most that is nothing but a label, in runes.
const bareLabel = 3

var entryStart = lazyregexp.New(`^\s*[0-9]{1,2}[.)]\s`)

// labelsIn are the labels a text names: one it begins with, and those behind a
// word ("option B"), a hash or a comma. An "a" in front is an article unless
// something closes it.
func labelsIn(text string) map[string]bool {
	out := map[string]bool{}
	text = counted.ReplaceAllString(text, "")
	if m := labelFirst.FindStringSubmatch(text); m != nil {
		label := m[1] + m[2]
		article := len(label) == 1 && unicode.IsLower(rune(label[0])) && strings.HasSuffix(m[0], " ")
		if !article {
			out[strings.ToUpper(label)] = true
		}
	}
	for _, m := range labelLater.FindAllStringSubmatch(text, 6) {
		out[m[1]] = true
	}
	return out
}

var numbered = lazyregexp.New(`(?m)^\s*(?:#|\p{L}{4,10} )?([0-9]{1,2}|[A-H])[.):,]\s+(\S.{2,})$`)

// Points are the entries of a numbered answer, "1. … 2. …", by label.
func Points(text string) []distiller.Option {
	var out []distiller.Option
	for _, m := range numbered.FindAllStringSubmatch(text, maxOptions) {
		out = append(out, distiller.Option{Label: m[1], Text: prose.Clip(prose.Plain(m[2]), maxPoint)})
	}
	return out
}

// maxPoint bounds an entry of a numbered answer, in runes.
const maxPoint = 400

// IsPoints says that a text is a numbered list, from its first word on.
func IsPoints(text string) bool { return entryStart.MatchString(text) && len(Points(text)) > 1 }

// BehindPoints is what a text says behind its numbered list, "" for nothing: paragraphs
// without marks of their own.
func BehindPoints(text string) string {
	all := numbered.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return ""
	}
	_, behind, found := strings.Cut(text[all[len(all)-1][1]:], "\n\n")
	if !found || strings.Contains(behind, "```") || slices.ContainsFunc(strings.Split(behind, "\n"), listLine) {
		return ""
	}
	return prose.OneLine(behind)
}

// Declared is what a prompt states: without the questions it asks back.
func Declared(text string) string {
	var kept []string
	for _, s := range prose.SplitSentences(text) {
		if !prose.IsQuestion(s) {
			kept = append(kept, strings.TrimSpace(s))
		}
	}
	return strings.Join(kept, " ")
}

var (
	labelFirst = lazyregexp.New(`^[\s("'#*（「]*(?:([0-9]{1,2}|[A-Ha-h])(?:[\s)"'*,;.:!` + wideStops + `]|$)|([0-9]|[A-H])(?:` + wideLetters + `))`)
	labelLater = lazyregexp.New(`(?:\p{L}{3,12} |#|[,;&+，；、] ?|` + wideLetters + `)[(（]?([0-9]|[A-H])(?:[\s)"*,;.:!` + wideStops + `]|` + wideLetters + `|$)`)
)

// Letters and stops of scripts that put no space around a label. A digit before
// a counter ("2つ", "3个") is none: there it counts.
const (
	wideStops   = `、。，；：！）」`
	wideLetters = `[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]`
)

// counted is a number that counts and labels nothing.
var counted = lazyregexp.New(`[0-9](?:[つ個件个条种개]|가지)`)

// Prefers says that a text names an option that was not chosen, by two words at least
// that stand in no other option, and none that was.
func Prefers(text string, options, chosen []string, lex *words.Lexicon) bool {
	said := WordsOf(text, lex)
	prefers := false
	for i, option := range options {
		own := WordsOf(option, lex)
		for j, other := range options {
			if j != i {
				for w := range WordsOf(other, lex) {
					delete(own, w)
				}
			}
		}
		named := Overlap(said, own)
		if named > 0 && slices.Contains(chosen, option) {
			return false
		}
		prefers = prefers || named > 1
	}
	return prefers
}

// SaidRefusing is what the person said when turning a call down, "" for nothing. The words
// before it are those of the tools.
func SaidRefusing(result string) string {
	for _, mark := range []string{"the user said:", "user provided the following reason", "reason for the rejection:", "User feedback:"} {
		if _, after, ok := strings.Cut(result, mark); ok {
			first, _, _ := strings.Cut(strings.TrimLeft(after, ": \n"), "\n\n")
			return prose.OneLine(first)
		}
	}
	return ""
}
