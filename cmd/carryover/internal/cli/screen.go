package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// screenWriter shows what would steer a terminal as text, in the form that JSON
// has for it: paths, branches, titles and tool output come from repositories and
// transcripts. Each call must end at the end of a character.
type screenWriter struct{ to io.Writer }

// NewScreenWriter writes to a terminal what comes from elsewhere.
func NewScreenWriter(to io.Writer) io.Writer { return screenWriter{to} }

// Write reports the length of what it was given, as callers count in that.
func (w screenWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.to, shown(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// shown is a text in which no character has a meaning but its own. Line ends and
// tabs stay.
func shown(text string) string {
	if strings.IndexFunc(text, steers) < 0 && utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteRune(utf8.RuneError)
		case steers(r) && !strings.HasPrefix(text, "\r\n"):
			for _, unit := range utf16.Encode([]rune{r}) {
				_, _ = fmt.Fprintf(&out, `\u%04x`, unit)
			}
		default:
			out.WriteString(text[:size])
		}
		text = text[size:]
	}
	return out.String()
}

// steers says whether a character controls a terminal, or hides or reorders
// what stands around it. The joiners of emoji and of some scripts do neither.
func steers(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
