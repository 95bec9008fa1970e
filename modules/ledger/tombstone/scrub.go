package tombstone

import (
	"slices"
	"strings"
)

// Scrub puts Mark in the place of every forgotten text.
func (t *Tombstones) Scrub(s string) string {
	now := t.now()
	if len(now.texts) == 0 {
		return s
	}
	folded := fold(s)
	var spans [][2]int
	for _, length := range now.lengths() {
		spans = append(spans, now.find(folded, length)...)
	}
	if len(spans) == 0 {
		return s
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var out strings.Builder
	at := 0
	for _, span := range spans {
		if span[1] <= at {
			continue
		}
		if span[0] > at || at == 0 {
			out.WriteString(s[at:max(at, span[0])])
			out.WriteString(Mark)
		} // one that overlaps the last goes under the same mark
		at = span[1]
	}
	out.WriteString(s[at:])
	return out.String()
}

func (m *marks) lengths() []int {
	var list []int
	for _, text := range m.texts {
		if !slices.Contains(list, text.length) {
			list = append(list, text.length)
		}
	}
	return list
}

// find rolls over a text with a window of one length.
func (m *marks) find(folded string, length int) (spans [][2]int) {
	if len(folded) < length {
		return nil
	}
	base := m.base()
	lead := uint64(1) // base to the power of length-1
	for range length - 1 {
		lead *= base
	}
	h := m.hash(folded[:length])
	for i := 0; ; i++ {
		if m.marked(h, folded[i:i+length]) {
			spans = append(spans, [2]int{i, i + length})
		}
		if i+length == len(folded) {
			return spans
		}
		h = (h-(uint64(folded[i])+1)*lead)*base + uint64(folded[i+length]) + 1
	}
}

func (m *marks) marked(roll uint64, window string) bool {
	for _, text := range m.texts {
		if text.roll == roll && text.length == len(window) && text.sum == m.sum(window) {
			return true
		}
	}
	return false
}
