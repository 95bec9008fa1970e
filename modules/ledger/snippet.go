package ledger

import (
	"cmp"
	"slices"
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

// Excerpt is a part of a text on one line, with the words that were looked for.
type Excerpt struct {
	Text  string
	Marks []Span // in order, none touching the next
}

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Snippet is the part of an event around the first of a query's words that can
// be seen in it.
func Snippet(event *transcript.Event, terms []Term) Excerpt {
	all := texts(event)
	for _, term := range terms {
		for _, word := range term.Words {
			for _, text := range all {
				if at := indexWord(text, word, term.Prefix); at >= 0 {
					return excerpt(text, at, terms)
				}
			}
		}
	}
	for _, term := range terms {
		for _, word := range append(slices.Clone(term.Words), term.Parts...) {
			for _, text := range all {
				if at := strings.Index(folded(text), word); at >= 0 {
					return excerpt(text, at, terms)
				}
			}
		}
	}
	for _, text := range all {
		if text != "" {
			return excerpt(text, 0, terms)
		}
	}
	return Excerpt{}
}

// excerpt cuts a text around an offset, at rune boundaries, and folds white
// space.
func excerpt(text string, at int, terms []Term) Excerpt {
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
	return Excerpt{Text: snippet, Marks: marks(snippet, terms)}
}

// marks finds a query's words in a text.
func marks(text string, terms []Term) []Span {
	var spans []Span
	for _, term := range terms {
		for _, word := range append(slices.Clone(term.Words), term.Parts...) {
			for at := 0; at < len(text); {
				found := indexWord(text[at:], word, term.Prefix)
				if found < 0 {
					break
				}
				spans = append(spans, Span{at + found, at + found + len(word)})
				at += found + len(word)
			}
		}
	}
	return joined(spans)
}

// joined sorts spans and makes one of those that touch.
func joined(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	var apart []Span
	for _, span := range spans {
		if last := len(apart) - 1; last >= 0 && span.From <= apart[last].To {
			apart[last].To = max(apart[last].To, span.To)
			continue
		}
		apart = append(apart, span)
	}
	return apart
}

// indexWord finds a word in lower case where one begins and, unless it may go
// on, ends: at something that is no letter or digit, or at a hump of a name.
func indexWord(text, word string, prefix bool) int {
	lower := folded(text)
	for at := 0; at < len(lower); {
		found := strings.Index(lower[at:], word)
		if found < 0 {
			return -1
		}
		from := at + found
		if begins(text, from) && (prefix || ends(text, from+len(word))) {
			return from
		}
		_, size := utf8.DecodeRuneInString(lower[from:])
		at = from + size
	}
	return -1
}

func begins(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	r := runeAt(text, at)
	return at == 0 || isCJK(r) || !isWordRune(before) || isUpper(r)
}

func ends(text string, at int) bool {
	if at == len(text) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	r := runeAt(text, at)
	return isCJK(last) || !isWordRune(r) || isUpper(r)
}

// folded is a text in lower case. One whose length changes with its case has no
// offsets to find words by, and stays as it is.
func folded(text string) string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return text
	}
	return lower
}
