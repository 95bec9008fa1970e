package extract

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// relate says how a request follows from what came before it.
func (t *timeline) relate(e *event, r *request) relation {
	now := t.now()
	if now == nil {
		if t.prior != nil && (e.lex.Weight(r.Words) < longRequest && !dialogue.Names(r.Words) || t.shared(t.prior.Text+" "+t.prior.Goal, r.Words, e.lex) >= 2) {
			return continues
		}
		return begins
	}
	if t.answersIt(e, r) {
		return answers
	}
	worked := now.calls > 0 || now.spoke
	if worked && e.lex.Begins(words.No, r.Words) && !r.asks {
		return corrects
	}
	common := t.known(r.Words, e.lex)
	late := !now.at.IsZero() && !e.Time.IsZero() && e.Time.Sub(now.at) > pause
	switch {
	case r.thin && !late:
		return continues
	case common >= 2, !late && (common == 1 || e.lex.In(words.Pointer, prose.Clip(r.Words, 120))):
		return continues
	case late, now.spoke && e.lex.Weight(r.Words) >= longRequest:
		return begins
	}
	return continues
}

// answersIt says that a prompt answers what the agent asked, and notes what it
// picks.
func (t *timeline) answersIt(e *event, r *request) bool {
	if t.asked == nil {
		return false
	}
	picked := t.asked.Picked(e.Text, e.lex)
	related := t.shared(t.asked.About(), r.Words, e.lex)
	decided := (e.lex.Begins(words.Yes, r.Words) || e.lex.Begins(words.No, r.Words)) && dialogue.Declared(r.Words) != ""
	short := utf8.RuneCountInString(r.Words) <= 90
	switch {
	case decided, len(picked) > 0 && (short || related > 0):
	case r.asks || r.Slash:
		return false
	case related*answerShare < e.lex.Weight(r.Words) && e.lex.Weight(r.Words) >= longRequest && t.shared(t.asked.About(), prose.Clip(r.Words, answerHead), e.lex) < 2:
		return false // it asks for something else and happens to use the same words
	case related >= 2:
	case short && prose.IsQuestion(t.asked.Text) && (related == 1 || r.thin):
	case short && r.thin && related >= e.lex.Weight(r.Words): // it only says to do what was offered
	default:
		return false
	}
	r.answered, r.picked = t.asked, picked
	return true
}

// A long answer has words of the question: one in so many, or two at its start,
// in runes.
const (
	answerShare = 5
	answerHead  = 60
)

// shared counts the words of content that two texts have in common.
func (t *timeline) shared(a, b string, lex *words.Lexicon) int {
	in := map[string]bool{}
	for _, w := range lex.Content(a) {
		in[dialogue.Stem(w)] = true
	}
	var both []string
	for _, w := range lex.Content(b) {
		if known := dialogue.Bent(in, dialogue.Stem(w)); known != "" {
			both = append(both, w)
			delete(in, known)
		}
	}
	return words.WeightOf(both)
}

// known counts the words of a text that the work before it spoke of.
func (t *timeline) known(text string, lex *words.Lexicon) int {
	var seen []string
	for _, w := range lex.Content(text) {
		if w = dialogue.Stem(w); t.vocab[w] && !slices.Contains(seen, w) {
			seen = append(seen, w)
		}
	}
	return words.WeightOf(seen)
}

// learn adds the words of a text to what is spoken of.
func (t *timeline) learn(text string, lex *words.Lexicon, anew bool) {
	if anew || t.vocab == nil || len(t.vocab) > maxVocab {
		t.vocab = map[string]bool{}
	}
	for i, w := range lex.Content(prose.Clip(text, 3000)) {
		if i == maxVocab {
			break
		}
		t.vocab[dialogue.Stem(w)] = true
	}
}

func (t *timeline) learnName(p string) {
	for _, w := range words.Tokens(strings.TrimSuffix(path.Base(p), path.Ext(p))) {
		if t.vocab != nil && utf8.RuneCountInString(w) > 2 {
			t.vocab[dialogue.Stem(w)] = true
		}
	}
}
