package timeline

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// relate says how a request follows from what came before it. In a run that was restarted it
// has to be about the same things to go on with them.
func (t *Timeline) relate(e *Event, r *Request, restarted bool) Relation {
	now := t.Now()
	if now == nil {
		if t.Prior != nil && (e.Lexicon.Weight(r.Words) < LongRequest && !dialogue.Names(r.Words) || shared(t.Prior.Text+" "+t.Prior.Goal, r.Words, e.Lexicon) >= 2) {
			return Continues
		}
		return Begins
	}
	if t.answersIt(e, r) {
		return Answers
	}
	worked := now.Calls > 0 || now.Spoke
	if worked && e.Lexicon.Begins(words.No, r.Words) && !r.Asks {
		return Corrects
	}
	common := t.known(r.Words, e.Lexicon)
	late := !now.At.IsZero() && !e.Time.IsZero() && e.Time.Sub(now.At) > pause
	switch {
	case restarted && common*4 < e.Lexicon.Weight(r.Words) && !r.Thin:
		return Begins
	case r.Thin && !late:
		return Continues
	case common >= 2, !late && (common == 1 || e.Lexicon.In(words.Pointer, prose.Clip(r.Words, 120))):
		return Continues
	case late, now.Spoke && e.Lexicon.Weight(r.Words) >= LongRequest:
		return Begins
	}
	return Continues
}

// answersIt says that a prompt answers what the agent asked, and notes what it
// picks.
func (t *Timeline) answersIt(e *Event, r *Request) bool {
	if t.Asked == nil {
		return false
	}
	picked := t.Asked.Picked(e.Text, e.Lexicon)
	related := shared(t.Asked.About(), r.Words, e.Lexicon)
	decided := (e.Lexicon.Begins(words.Yes, r.Words) || e.Lexicon.Begins(words.No, r.Words) || t.goesAhead(e, r)) && dialogue.Declared(r.Words) != ""
	short := utf8.RuneCountInString(r.Words) <= shortAnswer
	switch {
	case decided, len(picked) > 0 && (short || related > 0):
	case short && !r.Asks && !r.Slash && r.Pasted == "" && t.Asked.TakesOne(r.Words, e.Lexicon):
	case r.Pasted == "" && t.Asked.Puts() && dialogue.IsPoints(e.Text): // point by point, with labels of its own
	case r.Asks || r.Slash || r.Pasted != "" && (related == 0 || !t.Asked.Puts()):
		return false
	case related*answerShare < e.Lexicon.Weight(r.Words) && e.Lexicon.Weight(r.Words) >= LongRequest && (!t.Asked.Puts() || !begins(r.Words, t.Asked, e.Lexicon)):
		return false // it asks for something else and happens to use the same words
	case related >= 2:
	case short && t.Asked.IsQuestion() && (related == 1 || r.Thin):
	case short && r.Thin && related >= e.Lexicon.Weight(r.Words): // it only says to do what was offered
	case short && t.Asked.IsChoice():
	case short && t.Asked.IsQuestion() && lays(r.Words, e.Lexicon): // in words of its own
	default:
		return false
	}
	r.answered, r.picked = t.Asked, picked
	return true
}

// begins says that a text begins with two words of what was asked, or of the sentence
// before it: one of each is chance.
func begins(text string, asked *dialogue.Question, lex *words.Lexicon) bool {
	head := prose.Clip(text, answerHead)
	return max(shared(asked.Text, head, lex), shared(strings.TrimPrefix(asked.About(), asked.Text), head, lex)) >= 2
}

// goesAhead says that a text ends by moving on what a question offered, whatever it asks
// for before that: "Also …. Then go on with it."
func (t *Timeline) goesAhead(e *Event, r *Request) bool {
	lex, text := e.Lexicon, strings.TrimSpace(e.Text)
	if r.Slash || r.Pasted != "" || !lex.Begins(words.Offer, t.Asked.Text) {
		return false
	}
	all := prose.SplitSentences(text[strings.LastIndexByte(text, '\n')+1:])
	last := all[len(all)-1]
	return len(last) < len(text) && dialogue.IsThin(last, lex) && lex.In(words.Nudge, last) && shared(t.Asked.About(), r.Words, lex) > 0
}

// lays says that a text lays something down: it demands, sets one thing against
// another or says what holds.
func lays(text string, lex *words.Lexicon) bool {
	return lex.In(words.Lasting, text) || lex.In(words.Contrast, text) || lex.In(words.Affirms, text)
}

// A long answer has words of the question: one in so many, or two at its start,
// in runes.
const (
	answerShare = 5
	answerHead  = 60
)

// shortAnswer is how long a prompt is that leans on what was asked, in runes.
const shortAnswer = 120

// shared counts the words of content that two texts have in common.
func shared(a, b string, lex *words.Lexicon) int {
	in := map[string]bool{}
	for _, w := range lex.Content(a) {
		in[dialogue.Stem(w)] = true
	}
	var both []string
	for _, w := range lex.Content(b) {
		if known := dialogue.Bent(in, dialogue.Stem(w)); known != "" {
			both = append(both, w)
			if words.Numbered(w) {
				both = append(both, w) // the name of one thing among others tells more than a word
			}
			delete(in, known)
		}
	}
	return words.WeightOf(both)
}

// known counts the words of a text that the work before it spoke of.
func (t *Timeline) known(text string, lex *words.Lexicon) int {
	var seen []string
	for _, w := range lex.Content(text) {
		if w = dialogue.Stem(w); t.vocab[w] && !slices.Contains(seen, w) {
			seen = append(seen, w)
		}
	}
	return words.WeightOf(seen)
}

// learn adds the words of a text to what is spoken of.
func (t *Timeline) learn(text string, lex *words.Lexicon, fresh bool) {
	if fresh || t.vocab == nil || len(t.vocab) > maxVocab {
		t.vocab = map[string]bool{}
	}
	for i, w := range lex.Content(prose.Clip(text, 3000)) {
		if i == maxVocab {
			break
		}
		t.vocab[dialogue.Stem(w)] = true
	}
}

func (t *Timeline) learnName(p string) {
	for _, w := range words.Tokens(strings.TrimSuffix(path.Base(p), path.Ext(p))) {
		if t.vocab != nil && utf8.RuneCountInString(w) > 2 {
			t.vocab[dialogue.Stem(w)] = true
		}
	}
}
