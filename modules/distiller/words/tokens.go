package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func pairs(word string) []string {
	letters := []rune(word)
	if len(letters) < 2 {
		return []string{word}
	}
	var out []string
	for i := range len(letters) - 1 {
		out = append(out, string(letters[i:i+2]))
	}
	return out
}

// Tokens are the words of a text in lower case; runs of a script without
// spaces are one token.
func Tokens(text string) []string {
	var out []string
	low := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	start, wide := -1, false
	for i, r := range low {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && (r != '\'' || start < 0) {
			if start >= 0 {
				out, start = append(out, low[start:i]), -1
			}
			continue
		}
		if now := wideRune(r); start < 0 {
			start, wide = i, now
		} else if now != wide {
			out, start, wide = append(out, low[start:i]), i, now
		}
	}
	if start >= 0 {
		out = append(out, low[start:])
	}
	return out
}

func wideRune(r rune) bool {
	return r >= firstWide && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// firstWide is the first character of those scripts.
const firstWide = '⺀'

func unspaced(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return wideRune(r)
}

// NearlySame says that two words differ by at most one letter added, dropped
// or changed, or by two neighbours swapped.
func NearlySame(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return slices.Equal(x[i:], y[i+1:])
	}
	if i == len(x) || slices.Equal(x[i+1:], y[i+1:]) {
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
}
