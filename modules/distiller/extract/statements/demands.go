package statements

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// Which sentences of a person demand something, and for how long.

// demands says that a sentence of the person demands something. What they deny of
// themselves does so where they want it ("I don't want …"), and not where it tells
// what they did ("I don't recall …").
func demands(text string, lex *words.Lexicon) bool {
	if rulesOut(text, lex) {
		return true
	}
	before, after, found := lex.Split(words.Demand, text)
	if found && lex.Ends(words.Modal, before) && lex.Begins(words.Never, text[len(before):]) {
		return lex.In(words.Demand, after) // "this can never be removed" tells how it is
	}
	if !found || !lex.Ends(words.Self, before) || !lex.Begins(words.No, text[len(before):]) {
		return lex.In(words.Demand, text)
	}
	return lex.Begins(words.Wish, after) || lex.In(words.Demand, after)
}

// rulesOut says that a sentence rules something out by naming it: "No new dependencies".
func rulesOut(text string, lex *words.Lexicon) bool {
	first, rest, _ := strings.Cut(text, " ")
	next, _, _ := strings.Cut(rest, " ")
	return len(text) <= shortRule && lex.Begins(words.None, first) && !lex.Has(words.Function, strings.ToLower(next)) && lex.Weight(rest) > 1
}

// bounds says that a request ends by bounding itself: "…, at most two pages, no footnotes".
func bounds(text string, lex *words.Lexicon) bool {
	return slices.ContainsFunc(clauses.Split(text, -1)[1:], func(part string) bool {
		part = strings.TrimSpace(part)
		return lex.Begins(words.None, part) || lex.Begins(words.Lasting, part)
	})
}

// shortRule is how long such a sentence is at most, and shortDemand how long one is that a
// prompt only adds to the request ("avoid the tasks about security"), in bytes.
const (
	shortRule   = 80
	shortDemand = 40
)

// forGood says that a demand holds for good ("always", "must"): what is not to be done ("don't")
// may be of this once.
func forGood(text string, lex *words.Lexicon) bool {
	for {
		before, after, found := lex.Split(words.Lasting, text)
		if !found {
			return false
		}
		if word := text[len(before) : len(text)-len(after)]; !lex.Begins(words.No, word) || lex.Begins(words.Never, word) {
			return true
		}
		text = after
	}
}

// overrules says that a later demand speaks of the same thing as an earlier one.
func overrules(now, before string, lex *words.Lexicon) bool {
	of := dialogue.WordsOf(before, lex)
	n := dialogue.Overlap(dialogue.WordsOf(now, lex), of)
	return n >= 3 && n*2 >= len(of)
}

// thinks says that a sentence tells what the person thinks about or would have done now: what
// they found to be the cause, a step that they mean to take, a wish for this once.
func thinks(text string, lex *words.Lexicon) bool {
	if lex.Announces(text) || lex.In(words.Cause, text) && !lex.In(words.Lasting, text) {
		return true
	}
	before, _, wishes := lex.Split(words.Wish, text)
	return wishes && len(before) < wishStart && lex.Begins(words.Self, text) && !lex.In(words.Lasting, text) && !lex.In(words.No, text)
}

// wishStart is where a sentence that is a wish says so, in bytes.
const wishStart = 12

// ownSentences are the sentences of a prompt that are the person's: what stands
// long behind a list mark, or behind a colon and words that say what it is, was pasted,
// and of a long prompt the first and the last sentence say what is wanted.
func ownSentences(text string, lex *words.Lexicon) []string {
	for _, mark := range []string{": ", " • "} {
		if before, after, found := strings.Cut(text, mark); found && len(before) < leadIn && len(after) > quotedFrom && (mark != ": " || lex.Weight(before) > 1) {
			text = before
		}
	}
	all := prose.SplitSentences(text)
	if len(text) > quotedFrom*2 && len(all) > 2 {
		return []string{all[0], all[len(all)-1]}
	}
	return all
}

// A lead-in is at most so long, and what it leads in at least, in bytes.
const (
	leadIn     = 80
	quotedFrom = 150
)
