package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is one condition of a search: words that follow one another. All terms
// of a query must be met.
type Term struct {
	Words []string
	// Parts are the words of a name made of several, in order: they stand one
	// after another in any longer name that contains this one.
	Parts  []string
	Prefix bool   // the last word may go on
	Typed  string // as it stands in the query
}

// Terms reads a query: words, "phrases in quotes" and beginnings of words with
// a * behind them. It splits text as SearchText does, so that what stands in an
// event finds it.
func Terms(query string) []Term {
	var terms []Term
	for query != "" {
		var piece string
		before := query
		piece, query = nextPiece(query)
		if term, ok := parseTerm(piece); ok {
			term.Typed = strings.TrimSpace(before[:len(before)-len(query)])
			terms = append(terms, term)
		}
	}
	return terms
}

// nextPiece cuts the first word or quoted phrase off a query. A quote that is
// not closed runs to the end.
func nextPiece(query string) (piece, rest string) {
	query = strings.TrimLeftFunc(query, unicode.IsSpace)
	if strings.HasPrefix(query, `"`) {
		phrase, rest, _ := strings.Cut(query[1:], `"`)
		if strings.HasPrefix(rest, "*") {
			return phrase + "*", rest[1:]
		}
		return phrase, rest
	}
	end := strings.IndexFunc(query, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		return query, ""
	}
	return query[:end], query[end:]
}

func parseTerm(piece string) (Term, bool) {
	text, prefix := strings.CutSuffix(strings.TrimSpace(piece), "*")
	words := appendWords(nil, text, true)
	if len(words) == 0 {
		return Term{}, false
	}
	last := words[len(words)-1]
	term := Term{Words: words, Prefix: prefix || isCJKCharacter(last)}
	if len(words) > 1 && nameLength(text) == len(text) {
		term.Words, term.Parts = words[:1], words[1:]
	}
	return term, true
}

// isCJKCharacter reports whether a word is one character alone, which in the
// index is the beginning of a pair.
func isCJKCharacter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && isCJK(r)
}
