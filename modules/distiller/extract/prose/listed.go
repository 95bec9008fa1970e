package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Listed names entries as far as so many bytes have room for them, and counts the rest.
func Listed(names []string, room int) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
			text = name
		case len(text)+len(name) > room:
			return fmt.Sprintf("%s and %d more", text, len(names)-i)
		default:
			text += ", " + name
		}
	}
	return text
}

// Imperative begins a line with an upper-case letter and no bullet.
func Imperative(s string) string {
	s = strings.TrimSpace(s)
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || strings.HasPrefix(s, "`") {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
