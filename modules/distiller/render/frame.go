package render

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a transcript says must not be able to look like the frame around it:
// no control characters, no terminal sequences, no line breaks, none of our
// markers, no heading, no fence, no comment.

var (
	terminal = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x{9b}[0-9;?]*[ -/]*[@-~]`)
	fence    = regexp.MustCompile("`{2,}|~{3,}")
	marker   = regexp.MustCompile(`(?i)\[\s*carryover\s*\]`)
	protocol = regexp.MustCompile(`(?i)resume\s+protocol`)
	comment  = regexp.MustCompile(`(?i)<(!-+)|(-+)>|<(/?\s*carryover)`)
	heading  = regexp.MustCompile(`^(?:[#>|=+*_-]+\s*)+`)
)

// clean makes a piece of transcript text safe to stand in one line.
func clean(s string) string {
	for range 4 { // what one pass takes out may join what another looks for
		before := s
		s = cleanOnce(s)
		if s == before {
			break
		}
	}
	if strings.Count(s, "`")%2 == 1 {
		s = strings.ReplaceAll(s, "`", "'")
	}
	return s
}

func cleanOnce(s string) string {
	s = strings.ToValidUTF8(s, "")
	s = terminal.ReplaceAllString(s, "")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029', r == '\u0085':
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	s = fence.ReplaceAllString(s, "`")
	s = marker.ReplaceAllString(s, "(carryover)")
	s = protocol.ReplaceAllString(s, "resume-protocol")
	s = comment.ReplaceAllString(s, "$1$2$3")
	return strings.TrimSpace(heading.ReplaceAllString(s, ""))
}

// invisible runes can hide or reorder text: controls, direction marks, zero
// width characters and tags. The joiners that emoji and some scripts need
// stay.
func invisible(r rune) bool {
	if r == '\u200d' || r == '\u200c' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\ufffd' || unicode.Is(unicode.Co, r)
}

// code puts text of a tool into a code span: one line, no backtick inside, at
// most n runes.
func code(s string, n int) string {
	s = strings.ReplaceAll(clean(s), "`", "'")
	if s == "" {
		return ""
	}
	return "`" + cut(s, n) + "`"
}

// maxOutput is how much of a tool's output may stand in the handoff, in runes.
const maxOutput = 120

// output is a line of a tool's output.
func output(s string) string { return code(s, maxOutput) }

// quote is what a person said.
func quote(s string) string {
	if s = clean(s); s == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(s, `"`, "'") + `"`
}

// cut shortens s to n runes at a rune boundary and marks it.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n <= 1 {
		return ""
	}
	runes := 0
	for i := range s {
		if runes == n-1 {
			s = strings.TrimRight(s[:i], " ") + "…"
			break
		}
		runes++
	}
	return closeSpan(s)
}

// closeSpan keeps a cut from leaving a code span open.
func closeSpan(s string) string {
	if strings.Count(s, "`")%2 == 0 {
		return s
	}
	i := strings.LastIndexByte(s, '`')
	return s[:i] + "'" + s[i+1:]
}
