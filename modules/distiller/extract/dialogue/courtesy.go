package dialogue

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// Not everything with a question mark waits for the person:
//
//   - A courtesy asks for a task and is about none: nothing of the work is named,
//     and no word is left once those of courtesy are gone ("Anything else?").
//   - A trifle has nothing in it to decide, nor has the sentence before it.
//   - An offer leaves it to the person whether anything follows ("If you want, I
//     can …"). A yes takes it up; passed over, it is forgotten.

// courtesy says that a sentence asks for nothing in particular.
func courtesy(sentence string, lex *words.Lexicon) bool {
	if lex == nil || Names(sentence) || NamedIn(sentence) > 0 {
		return false
	}
	polite := lex.In(words.Courtesy, sentence)
	open := prose.IsQuestion(sentence) && !lex.Begins(words.Offer, sentence) && (lex.In(words.Next, sentence) || lex.Count(words.Wish, sentence) > 1)
	rest := lex.Without(sentence, words.Courtesy, words.Await, words.Offer, words.Condition, words.Wish)
	if head := strings.Fields(sentence); prose.IsQuestion(sentence) && lex.In(words.Courtesy, strings.Join(head[:min(len(head), politeHead)], " ")) {
		return lex.Weight(rest) <= politeRest
	}
	return (polite || open) && lex.Empty(rest)
}

// A question that begins with a courtesy may name what it is polite about: "Is there anything else you
// would like to know of the layout?"
const (
	politeHead = 4 // words
	politeRest = 4 // words of content beside those of courtesy
)

// LeavesOff says that a sentence is how a reply takes its leave.
func LeavesOff(sentence string, lex *words.Lexicon) bool {
	return courtesy(sentence, lex) || lex.In(words.Await, sentence) && !Names(sentence)
}

// offers says that a sentence leaves a step of the speaker to the person.
func offers(sentence string, lex *words.Lexicon) bool {
	return lex.In(words.Condition, sentence) && lex.In(words.Self, sentence) && !prose.IsQuestion(sentence)
}

// offered is the offer a reply ends with, nil for none.
func offered(lines []string, lex *words.Lexicon) *Question {
	for at := len(lines) - 1; at >= max(0, len(lines)-offerLines); at-- {
		line, _ := prose.TrimBullet(lines[at])
		sentences := prose.SplitSentences(line)
		for i := len(sentences) - 1; i >= 0; i-- {
			if offers(sentences[i], lex) && !courtesy(sentences[i], lex) {
				return &Question{Text: prose.Clip(prose.Plain(sentences[i]), MaxQuestion), Optional: true}
			}
		}
	}
	return nil
}

// offerLines is at how many lines at the end of a reply an offer may stand.
const offerLines = 2

// Trifle says that a question has nothing in it to decide: an offer to go on
// with what nobody named.
func (a *Question) Trifle(lex *words.Lexicon) bool {
	return a.CallID == "" && len(a.Options) == 0 && lex.Weight(a.Text) < 2 && lex.Weight(a.Context) < 2
}

// SaysLittle says that nobody knows what a question is about once others were asked.
func (a *Question) SaysLittle(lex *words.Lexicon) bool {
	return a.CallID == "" && len(a.Options) == 0 && a.Context == "" && lex.Weight(a.Text) < vagueQuestion
}

// Waits says that nothing goes on before the person has answered.
func (a *Question) Waits(lex *words.Lexicon) bool {
	return a != nil && !a.Optional && !a.Trifle(lex)
}
