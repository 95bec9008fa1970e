package redact

import (
	"strings"
	"testing"
)

// A tool's output may be made of nothing but beginnings. What is read and tried
// grows with the text, not with its square, whatever keyword it repeats.
func TestText_IsLinearOnHostileText(t *testing.T) {
	const size = 256 << 10
	e := compiled()
	for _, word := range Keywords() {
		for _, between := range []string{"", " ", "=", ":\"", "\n"} {
			unit := word + between
			text := strings.Repeat(unit, size/8/len(unit))
			p := pass{engine: e, text: text, past: make([]int, len(e.rules))}
			p.look()
			if p.work > 1500*len(text) {
				t.Errorf("%q: %d steps for %d bytes", unit, p.work, len(text))
			}
			text = e.replace(text, p.merged())
			for rounds := 0; ; rounds++ {
				spans := e.find(text, 0)
				if len(spans) == 0 {
					break
				}
				if rounds == 8 {
					t.Errorf("%q: not clean after %d rounds", unit, rounds)
					break
				}
				text = e.replace(text, spans)
			}
		}
	}
}
