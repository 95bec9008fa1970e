package copilotcli

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// token is a word, a sign or a quoted text of an SQL statement.
type token struct {
	text   string
	quoted bool // a string, without its quotes
}

func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

func index(tokens []token, word string) int {
	return slices.IndexFunc(tokens, func(t token) bool { return t.is(word) })
}

func starts(tokens []token, words ...string) bool {
	if len(tokens) < len(words) {
		return false
	}
	for n, word := range words {
		if !tokens[n].is(word) {
			return false
		}
	}
	return true
}

// splitStatements cuts a query into statements of tokens.
func splitStatements(query string) iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		var statement []token
		for len(query) > 0 {
			next, rest := nextToken(query)
			query = rest
			switch {
			case next.text == ";" && !next.quoted:
				if !yield(statement) {
					return
				}
				statement = nil
			case next.text != "" || next.quoted:
				statement = append(statement, next)
			}
		}
		yield(statement)
	}
}

// nextToken takes one token off a query; between tokens it takes the space.
func nextToken(query string) (next token, rest string) {
	switch first := query[0]; {
	case first == '\'':
		return quotedText(query)
	case isWord(rune(first)):
		end := strings.IndexFunc(query, func(r rune) bool { return !isWord(r) })
		if end < 0 {
			end = len(query)
		}
		return token{text: query[:end]}, query[end:]
	case unicode.IsSpace(rune(first)):
		return token{}, strings.TrimLeftFunc(query, unicode.IsSpace)
	}
	return token{text: query[:1]}, query[1:]
}

func isWord(r rune) bool {
	return r == '_' || r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// quotedText reads a string, in which a doubled quote stands for one.
func quotedText(query string) (text token, rest string) {
	var value strings.Builder
	rest = query[1:]
	for {
		before, after, closed := strings.Cut(rest, "'")
		value.WriteString(before)
		if !closed || !strings.HasPrefix(after, "'") {
			return token{text: value.String(), quoted: true}, after
		}
		value.WriteByte('\'')
		rest = after[1:]
	}
}

// groups are the lists in parentheses, each with the tokens between its commas.
func groups(tokens []token) iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		var group []token
		open := false
		for _, t := range tokens {
			switch {
			case !t.quoted && t.text == "(":
				open, group = true, nil
			case !t.quoted && t.text == ")" && open:
				if open = false; !yield(group) {
					return
				}
			case open && (t.quoted || t.text != ","):
				group = append(group, t)
			}
		}
	}
}

// ids are the texts a condition compares with; nil when there is none.
func ids(where []token) []string {
	var found []string
	for _, t := range where {
		if t.quoted {
			found = append(found, t.text)
		}
	}
	return found
}
