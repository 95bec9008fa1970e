// Package redact takes secrets out of text, once, on the way into the ledger
// and on the way out of a transcript. One pass looks for the keywords of all
// rules together; only around a keyword is a pattern tried, so text without
// secrets costs one scan.
package redact

import (
	"cmp"
	"slices"
	"strings"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// Revision rises when the rules would find something else. It is stored with
// every event, so that older ones can be gone over again.
const Revision = 2

const (
	markerStart = "[redacted:"
	markerEnd   = "]"
)

// span is a part of a text that is a secret.
type span struct {
	from, to int
	rule     int // index in rules
}

// Text returns the text with every secret replaced by [redacted:<kind>].
// Text(Text(s)) is Text(s): a replacement can uncover a further match, so the
// rules run until they find nothing.
func Text(text string) string {
	for {
		spans := find(text)
		if len(spans) == 0 {
			return text
		}
		text = replace(text, spans)
	}
}

// find returns the secrets of a text in order, none overlapping another.
func find(text string) []span {
	var spans []span
	var runs tokenRuns
	keywords.Walk([]byte(text), func(end, n, pattern int64) bool {
		at := int(end - n + 1)
		for _, rule := range rulesOf[pattern] {
			if from, to, ok := rules[rule].match(text, at, &runs); ok {
				spans = append(spans, span{from, to, rule})
			}
		}
		return true
	})
	if len(spans) < 2 {
		return spans
	}
	// The rules stand from the particular to the general: of two that begin
	// together the first names the secret. All that any of them covers goes.
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, a.rule-b.rule) })
	kept := spans[:1]
	for _, s := range spans[1:] {
		last := &kept[len(kept)-1]
		if s.from >= last.to {
			kept = append(kept, s)
			continue
		}
		last.to = max(last.to, s.to)
	}
	return kept
}

func replace(text string, spans []span) string {
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for _, s := range spans {
		out.WriteString(text[done:s.from])
		out.WriteString(markerStart + rules[s.rule].kind + markerEnd)
		done = s.to
	}
	out.WriteString(text[done:])
	return out.String()
}

// keywords finds the keywords of all rules; rulesOf lists the rules of each, by
// index.
var keywords, rulesOf = compile(rules)

func compile(rules []rule) (*ahocorasick.Trie, [][]int) {
	index := map[string]int{}
	var words []string
	var byWord [][]int
	for i := range rules {
		for _, word := range rules[i].words() {
			n, known := index[word]
			if !known {
				n = len(words)
				index[word] = n
				words = append(words, word)
				byWord = append(byWord, nil)
			}
			byWord[n] = append(byWord[n], i)
		}
	}
	return ahocorasick.NewTrieBuilder().AddStrings(words).Build(), byWord
}
