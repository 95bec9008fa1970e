// Package dialogue reads what person and agent say to each other: prompts,
// nudges, questions and the answers that pick an option. It knows words and
// text, and no events.
package dialogue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Question is what a reply ends by asking, or an asking tool put to the person:
// the question, the labelled options it is about and, for a question that says
// little by itself ("Shall I?"), the sentence before it.
type Question struct {
	Text       string
	Context    string
	Options    []distiller.Option
	Also       []string           // what else the reply asks near its end
	CallID     string             // of the asking tool
	Optional   bool               // an offer: nothing waits for the answer
	asking     bool               // it is worded as a question, though what is kept of a long one may not end like one
	listed     bool               // the options are what a yes or no is about
	beside     []distiller.Option // labelled entries of the reply that the question is not about
	besideWord string             // what such a list calls its entries, in lower case, "" for nothing
	Source     distiller.Source
	Seq        int
}

// Bounds of what is read from a question.
const (
	tailLines     = 40  // of a reply, in which options are looked for
	questionLines = 14  // at the end of a reply, in which it may ask more than once
	listBehind    = 12  // entries that may stand behind the question they are about
	maxOptions    = 8   // of one question
	optionRunes   = 110 // of one option
)

// labelled matches a line that offers an option: "1. …", "B) …", "**Option 2**
// — …", "- **A:** …", "| A | … |". The word before the label is any one word,
// whatever the language calls an option.
var labelled = lazyregexp.New(`^\s*(?:[-*>•|]\s*|#+\s+)*[*_` + "`" + `(（【]*(?:(\p{L}{3,12})\s*)?([0-9]{1,2}|[A-Ha-h])[*_` + "`" + `】]*(?:[.):：、）．]|\s+[—–\-|])[*_` + "`" + `)]*\s*(.+)$`)

// ReadQuestion reads the question a reply ends with, nil when it ends by something
// else. Of several questions the last one counts; the others stand beside it.
func ReadQuestion(text string, lex *words.Lexicon) *Question {
	lines := slices.DeleteFunc(strings.Split(prose.Unwrapped(prose.WithoutFences(text)), "\n"), func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "" || strings.HasPrefix(l, ">") // a quotation asks nobody
	})
	if len(lines) == 0 {
		return nil
	}
	lines = lines[max(0, len(lines)-tailLines):]
	at, sentences, sentence := questionAt(lines, lex)
	if at < 0 {
		return offered(lines, lex)
	}
	last, _ := prose.TrimBullet(sentences[sentence])
	asked := unlisted(last)
	out := &Question{Text: prose.Clip(lastClause(asked), MaxQuestion), asking: prose.IsQuestion(asked)}
	switch list, word := optionsNear(lines, at); {
	case list == nil && at == leadIn(lines): // answers worded as questions
		out.Options = bulletsAbove(lines, len(lines))
	case list == nil:
	case len(bulletsAbove(lines, at)) > 1 && !lex.Begins(words.Offer, out.Text):
		out.Options = bulletsAbove(lines, at)
	case meansAdvice(out.Text, list, lines, lex):
		out.Options = list
	case pointsAt(out.Text, list, at < len(lines)-1, lex):
		out.Options = list
		out.listed = labelNamed(out.Text) == "" && !strings.HasSuffix(out.Text, ":") && (lex.Begins(words.Offer, out.Text) || lex.In(words.Await, out.Text))
		if out.listed && sentence > 0 && lex.Weight(sentences[sentence-1]) >= wholeOffer {
			out.Context = prose.Clip(prose.Plain(sentences[sentence-1]), 200)
		}
	default:
		out.beside, out.besideWord = list, word
	}
	if out.Options == nil && (lex.Weight(out.Text) < 4 || !out.asking) {
		out.Context = before(lines, at, sentences, sentence)
	}
	// "If you want more changes, let me know": nothing waits for it.
	out.Optional = out.Options == nil && !out.asking && lex.In(words.Condition, out.Text)
	if i := advised(out.Options, lines, lex); i >= 0 {
		out.Options[i].Recommended = true
	}
	out.Also = slices.DeleteFunc(otherQuestions(lines, last, lex), out.Offers)
	return out
}

// lastClause is what a question too long to be shown asks behind its last dash, where that is a
// question by itself; else the question.
func lastClause(asked string) string {
	if utf8.RuneCountInString(asked) <= MaxQuestion {
		return asked
	}
	for _, dash := range []string{" — ", " – "} {
		if at := strings.LastIndex(asked, dash); at >= 0 && prose.IsQuestion(asked[at:]) && utf8.RuneCountInString(asked[at:]) >= leastQuestion {
			return asked[at+len(dash):]
		}
	}
	return asked
}

// MaxQuestion bounds the text of a question, in runes; two texts of one question are
// compared at this length. The end of one is leastQuestion long at least.
const (
	MaxQuestion   = 220
	leastQuestion = 40
)

// otherQuestions are what a reply asks before its last question; one that says
// little is given with the sentence before it.
func otherQuestions(lines []string, last string, lex *words.Lexicon) []string {
	var out []string
	for _, line := range lines[max(0, len(lines)-questionLines):] {
		line, _ = prose.TrimBullet(strings.TrimSpace(line))
		if tableRow(line) {
			continue // the head of a column asks nobody
		}
		sentences := prose.SplitSentences(line)
		for i, s := range sentences {
			if !prose.IsQuestion(s) || s == last || courtesy(s, lex) {
				continue
			}
			if text := prose.Clip(prose.Plain(s), 200); lex.Weight(s) >= vagueQuestion {
				out = append(out, text)
			} else if i > 0 {
				out = append(out, prose.Clip(prose.Plain(sentences[i-1]), 160)+" "+text)
			}
		}
	}
	return bounded.Limit(out, 3)
}

// wholeOffer is how many words of content a sentence has at least that says what the
// question behind it offers.
const wholeOffer = 7

// vagueQuestion is how many words of content a question needs to stand alone.
const vagueQuestion = 3

// questionAt finds what the reply asks last: a question in its last paragraph,
// or in front of the list that ends it, be advice on the list behind it or not,
// or a last sentence that waits for word.
func questionAt(lines []string, lex *words.Lexicon) (at int, sentences []string, sentence int) {
	end := len(lines) - 1
	if end > 0 && !listLine(lines[end]) && !asks(lines[end]) && !lex.In(words.Await, lines[end]) && labelled.MatchString(strings.TrimSpace(lines[end-1])) &&
		(labelNamed(lines[end]) != "" || lex.In(words.Recommend, lines[end])) {
		end-- // advice on the options that the question is about
	}
	if above := leadIn(lines); above >= 0 {
		all := prose.SplitSentences(strings.TrimSpace(lines[above]))
		if last := len(all) - 1; asks(lines[above]) {
			end = above // what it lists are answers worded as questions
		} else if strings.HasSuffix(all[last], ":") && (lex.Begins(words.Offer, all[last]) && labelled.MatchString(lines[len(lines)-1]) || lettered(lines[above+1:])) {
			return above, all, last // "Do you want me to:", "It should be:"
		}
	}
	for end > 0 && len(lines)-end <= listBehind && !prose.IsQuestion(lines[end]) && listLine(lines[end]) {
		end--
	}
	for at = end; at >= max(0, end-1); at-- {
		sentences = prose.SplitSentences(strings.TrimSpace(lines[at]))
		for i := len(sentences) - 1; i >= 0; i-- {
			asking := prose.IsQuestion(sentences[i]) || at >= len(lines)-2 && lex.In(words.Await, sentences[i])
			if asking && !courtesy(sentences[i], lex) {
				return at, sentences, i
			}
		}
		if listLine(lines[at]) {
			break
		}
	}
	return -1, nil, 0
}

// asks says that one of the sentences of a line is a question.
func asks(line string) bool {
	return slices.ContainsFunc(prose.SplitSentences(strings.TrimSpace(line)), prose.IsQuestion)
}

// leadIn is the line above the list that ends a reply, -1 for no such list.
func leadIn(lines []string) int {
	at := len(lines) - 1
	for at >= 0 && len(lines)-at <= listBehind && listLine(lines[at]) {
		at--
	}
	if at == len(lines)-1 || at >= 0 && listLine(lines[at]) {
		return -1
	}
	return at
}

// lettered says that all lines of a list are options that letters count: A), B) …
func lettered(list []string) bool {
	for i, line := range list {
		if m := labelled.FindStringSubmatch(line); i >= maxOptions || m == nil || m[2] != letter(i) {
			return false
		}
	}
	return len(list) > 1
}

func listLine(line string) bool {
	line = strings.TrimSpace(line)
	return prose.IsBullet(line) || labelled.MatchString(line) || tableRow(line)
}

// QuestionOfTool is what an asking tool put to the person, without its place in
// the session.
func QuestionOfTool(d *transcript.Decision) *Question {
	a := &Question{Text: prose.Clip(prose.OneLine(d.Question), MaxQuestion), CallID: d.CallID, asking: prose.IsQuestion(d.Question)}
	for i, o := range d.Options {
		if i == maxOptions {
			break
		}
		text := o.Label
		if o.Description != "" {
			text += ": " + o.Description
		}
		a.Options = append(a.Options, distiller.Option{Label: letter(i), Text: prose.Clip(prose.OneLine(text), optionRunes), Recommended: strings.Contains(o.Label, "(Recommended)")})
	}
	return a
}

// letter is the label of the option at an index: A, B, …
func letter(i int) string { return string(rune('A' + i)) }

// Labelled are options as they are shown: "A) rename it".
func Labelled(options ...distiller.Option) []string {
	var out []string
	for _, o := range options {
		out = append(out, o.Label+") "+o.Text)
	}
	return out
}

// About is everything a question says, with what it is about.
func (a *Question) About() string {
	var b strings.Builder
	b.WriteString(a.Text + " " + a.Context)
	if a.listed && a.Context != "" {
		return b.String()
	}
	for _, o := range a.Options {
		b.WriteString(" " + o.Text)
	}
	return b.String()
}

// IsChoice says that nothing but one of the labelled options, or words of one's
// own, answers the question.
func (a *Question) IsChoice() bool { return len(a.Options) > 1 && !a.listed && !a.Optional }

// StandsAlone says that a question needs no list to be understood: it has none, or the sentence
// before it says what is offered.
func (a *Question) StandsAlone() bool { return len(a.Options) == 0 || a.listed && a.Context != "" }

// Repeats says that a question asks what an earlier one did: in its words, or in most of
// what either says.
func (a *Question) Repeats(earlier *Question, lex *words.Lexicon) bool {
	if strings.EqualFold(a.Text, earlier.Text) {
		return true
	}
	return SameMatter(WordsOf(a.Text, lex), WordsOf(earlier.Text, lex), sameWords)
}

// AsksAgain says that a question puts options again that stood to choose before: half of
// its words at least are theirs.
func (a *Question) AsksAgain(options []string, lex *words.Lexicon) bool {
	if len(options) < 2 {
		return false
	}
	asked := WordsOf(a.Text, lex)
	same := Overlap(asked, WordsOf(strings.Join(options, " "), lex))
	return same >= sameWords && same*2 >= len(asked)
}

// SameCode says that two questions are about one command or setting: a piece of code of one of them is
// in one of the other's.
func SameCode(a, b string) bool {
	for _, one := range spans.FindAllString(a, -1) {
		for _, other := range spans.FindAllString(b, -1) {
			if one, other = strings.Trim(one, "`"), strings.Trim(other, "`"); prose.Repeats(one, other) {
				return true
			}
		}
	}
	return false
}

// spans are pieces of code that say more than a name.
var spans = lazyregexp.New("`[^`]*[^`\\w][^`]*`")

// sameWords is how many words of content two questions share at least that ask the same.
const sameWords = 4

// Offers says that a sentence is one of the options there are to choose.
func (a *Question) Offers(sentence string) bool {
	return a != nil && a.IsChoice() && slices.ContainsFunc(a.Options, func(o distiller.Option) bool {
		return o.Text != "" && strings.Contains(sentence, strings.TrimSuffix(o.Text, "…"))
	})
}

// LeavesTwo says that a question leaves two things to choose, in words of its own.
func (a *Question) LeavesTwo(lex *words.Lexicon) bool {
	one, other, found := lex.Split(words.Either, a.Text)
	return found && a.IsQuestion() && lex.Weight(one) > 1 && lex.Weight(other) > 1
}

// TakesOne says that an answer names one of the two things that a question leaves to choose
// ("Shall I …, or do you want …?"): it uses a word of one that the other has not.
func (a *Question) TakesOne(answer string, lex *words.Lexicon) bool {
	before, after, found := lex.Split(words.Either, a.Text)
	if !found || !a.IsQuestion() {
		return false
	}
	one, other := WordsOf(before, lex), WordsOf(after, lex)
	named, others := 0, 0
	for w := range WordsOf(answer, lex) {
		switch {
		case one[w] && !other[w]:
			named++
		case other[w] && !one[w]:
			others++
		}
	}
	return (named > 0) != (others > 0)
}

// WantsNamed says that an answer is nothing but the one thing that a question asks for by
// its name, as a file: there was nothing to choose.
func (a *Question) WantsNamed(answer string, lex *words.Lexicon) bool {
	return NamedBefore(answer, a.Text) && !a.LeavesTwo(lex) && !a.IsChoice()
}

// Puts says that the agent put a question and does not merely wait for word.
func (a *Question) Puts() bool { return a.IsQuestion() || a.IsChoice() }

// IsQuestion says that it is worded as a question.
func (a *Question) IsQuestion() bool { return a.asking || prose.IsQuestion(a.Text) }

// Fact is the question as a handoff tells it.
func (a *Question) Fact() distiller.Asked {
	return distiller.Asked{Question: a.Text, Context: a.Context, Options: slices.Clone(a.Options), Listed: a.listed, Source: a.Source}
}

// Announced says that a sentence tells what its writer is about to do: at its
// start, or behind the clause it begins with.
func Announced(text string, lex *words.Lexicon) bool {
	if lex.Announces(text) {
		return true
	}
	_, after, found := strings.Cut(text, ", ")
	return found && lex.Announces(after)
}
