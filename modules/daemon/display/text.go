package display

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a text without what hides or reorders it: terminal sequences and
// control characters but line ends and tabs, and direction marks.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == '\x1b':
			return '␛'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// Shorten cuts a text to n runes.
func Shorten(n int, text string) string {
	runes := 0
	for i := range text {
		if runes++; runes > n {
			return text[:i] + "…"
		}
	}
	return text
}
