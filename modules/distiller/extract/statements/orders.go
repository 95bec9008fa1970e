package statements

import (
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A prompt may only say to go on with what was offered, or to deliver what is done: once
// that has happened nothing of it binds.

// tookUp says that a prompt takes up what the agent offered to do, and chooses nothing.
func tookUp(e *timeline.Event) bool {
	if e.Kind != transcript.Prompt || e.Answers == nil || len(e.Picked) > 0 || e.Answers.LeavesTwo(e.Lexicon) || !e.Lexicon.Begins(words.Offer, e.Answers.Text) || e.Lexicon.Begins(words.No, e.Wording.Words) {
		return false
	}
	said := dialogue.WordsOf(e.Lexicon.Without(e.Wording.Words, words.Yes, words.Nudge), e.Lexicon)
	return len(said)-dialogue.Overlap(said, dialogue.WordsOf(e.Answers.About(), e.Lexicon)) < saysMuch
}

// delivers says that a prompt asks for what git and a forge do, and for little else.
func delivers(e *timeline.Event) bool {
	if e.Kind != transcript.Prompt {
		return false
	}
	named, other := 0, 0
	for _, w := range e.Lexicon.Content(e.Wording.Words) {
		if deeds[w] {
			named++
		} else {
			other++
		}
	}
	return named > 0 && (other == 0 || named > 1 && other <= named)
}

// deeds are the words of git and of a forge for what is done once.
var deeds = prose.SetOf("commit commits push branch pr merge rebase comment tag checkout stash")
