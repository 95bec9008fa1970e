// Package width cuts and breaks text at a number of runes, without leaving a code span open.
package width

import (
	"strings"
	"unicode/utf8"
)

// Truncate shortens s to n runes at a rune boundary and marks it.
func Truncate(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n <= 1 {
		return ""
	}
	runes := 0
	for i := range s {
		if runes == n-1 {
			s = s[:i]
			break
		}
		runes++
	}
	s = strings.TrimRight(s, " ")
	if strings.Count(s, "`")%2 == 0 {
		return s + "…"
	}
	// The cut is inside a code span: close it, in the room of one rune more.
	_, last := utf8.DecodeLastRuneInString(s)
	if s = s[:len(s)-last]; strings.Count(s, "`")%2 == 0 {
		return s + "…" // it was the opening one
	}
	return s + "…`"
}

// Wrap breaks a long text into at most n lines at word boundaries.
func Wrap(text string, width, n int) []string {
	var out []string
	for text != "" && len(out) < n {
		if len(out) == n-1 || len([]rune(text)) <= width {
			out = append(out, Truncate(text, width))
			break
		}
		head := string([]rune(text)[:width])
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
			head = head[:i]
		}
		if i := strings.LastIndexByte(head, '`'); strings.Count(head, "`")%2 == 1 && i > len(head)/2 { // a code span does not go over lines
			head = head[:i]
		}
		text = strings.TrimSpace(text[len(head):])
		if strings.Count(head, "`")%2 == 1 { // nor does one that is longer than a line
			head, text = strings.ReplaceAll(head, "`", "'"), strings.ReplaceAll(text, "`", "'")
		}
		out = append(out, strings.TrimRight(head, " "))
	}
	return out
}
