package extract

import (
	"slices"

	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// again are the requests of a chain before its newest one that asked for the same in nearly the same
// words, and for which nothing was changed or run: what was answered was not what was wanted.
func again(chain []*timeline.Request, lex *words.Lexicon) []*timeline.Request {
	if len(chain) < 2 {
		return nil
	}
	now := chain[len(chain)-1]
	if now.Asks || now.Bare { // an answer is all that was wanted, maybe by another agent
		return nil
	}
	about := dialogue.WordsOf(now.Words, lex)
	return slices.DeleteFunc(slices.Clone(chain[:len(chain)-1]), func(r *timeline.Request) bool {
		return r.Did() || !dialogue.SameRequest(about, dialogue.WordsOf(r.Words, lex))
	})
}

// says tells whether a text says what a request does, in its words or in nearly the same.
func says(text, request string, lex *words.Lexicon) bool {
	return prose.Repeats(text, request) || dialogue.SameRequest(dialogue.WordsOf(text, lex), dialogue.WordsOf(request, lex))
}
