// Package redact takes secrets out of text, once, on the way into the ledger
// and on the way out of a transcript. One pass looks for the keywords of all
// rules together; only around a keyword is a pattern tried, so text without
// secrets costs one scan.
package redact

import "strings"

// Revision rises when the rules would find something else. It is stored with
// every event, so that older ones can be gone over again.
const Revision = 4

const (
	markerStart = "[redacted:"
	markerEnd   = "]"
)

// Text returns the text with every secret replaced by [redacted:<kind>].
// Text(Text(s)) is Text(s): a replacement can uncover a further match, so the
// rules run until they find nothing.
func Text(text string) string {
	e := compiled()
	for {
		spans := e.find(text, 0)
		if len(spans) == 0 {
			return text
		}
		text = e.replace(text, spans)
	}
}

func (e *engine) replace(text string, spans []span) string {
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for _, s := range spans {
		out.WriteString(text[done:s.from])
		out.WriteString(markerStart + e.rules[s.rule].kind + markerEnd)
		done = s.to
	}
	out.WriteString(text[done:])
	return out.String()
}
