package ledger

import (
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// snippetBefore and snippetLength are in bytes: what is shown before the first
// word that was found, and in all.
const (
	snippetBefore = 60
	snippetLength = 240
)

// Snippet is the part of an event around the first of a query's words that can
// be seen in it, on one line.
func Snippet(event *transcript.Event, terms []Term) string {
	all := texts(event)
	for _, term := range terms {
		for _, word := range term.Words {
			for _, text := range all {
				if at := indexFold(text, word); at >= 0 {
					return window(text, at)
				}
			}
		}
	}
	for _, text := range all {
		if text != "" {
			return window(text, 0)
		}
	}
	return ""
}

// indexFold finds a word that is in lower case. A text whose length changes
// with its case has no offsets to find it by.
func indexFold(text, word string) int {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return strings.Index(text, word)
	}
	return strings.Index(lower, word)
}

// window cuts a text around an offset, at rune boundaries, and folds white
// space.
func window(text string, at int) string {
	from := max(0, at-snippetBefore)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	to := min(len(text), from+snippetLength)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	snippet := strings.Join(strings.Fields(text[from:to]), " ")
	if from > 0 {
		snippet = "…" + snippet
	}
	if to < len(text) {
		snippet += "…"
	}
	return snippet
}
