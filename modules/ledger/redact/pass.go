package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// span is a part of a text that is a secret.
type span struct {
	from, to int
	rule     int // index in rules
}

// pass is one look at a text. Hits come in the order of the text, so that what
// is remembered from one to the next keeps a text of nothing but keywords from
// being read again from each of them.
type pass struct {
	*engine
	text  string
	spans []span
	rule  int // whose keyword was hit
	runs  tokenRuns
	past  []int  // of each rule, up to where tokens were read
	word  run    // the last one that a secret ended in
	blobs [2]run // the last base64 and hexadecimal runs that were decoded
	depth int    // how many wrappings this text was taken out of
	work  int    // bytes and steps, for the tests
}

// run is a part of the text that was read to its end.
type run struct{ from, to int }

// emit notes a secret, up to the end of the word it ends in: of a token that is
// longer than a rule looks, no rest stays. What was replaced before is none.
func (p *pass) emit(from, to int) {
	if from >= to || strings.Contains(p.text[from:to], markerStart) {
		return
	}
	p.spans = append(p.spans, span{from, p.wordEnd(to), p.rule})
}

// wordEnd is where the word ends that offset at lies in. A word is read once.
func (p *pass) wordEnd(at int) int {
	if !scan.IsWord(p.text[at-1]) {
		return at
	}
	if at >= p.word.from && at <= p.word.to {
		return p.word.to
	}
	p.word = run{at, at}
	for p.word.to < len(p.text) && scan.IsWord(p.text[p.word.to]) {
		p.word.to++
	}
	p.work += p.word.to - at
	return p.word.to
}

// engine is all rules, compiled: which rules each keyword calls.
type engine struct {
	rules   []rule
	words   *scan.Words
	rulesOf [][]int
}

var compiled = sync.OnceValue(func() *engine { return compile(allRules()) })

func compile(all []rule) *engine {
	index := map[string]int{}
	var words []string
	var of [][]int
	for i := range all {
		for _, word := range all[i].keywords {
			word = scan.Fold(word)
			n, known := index[word]
			if !known {
				n = len(words)
				index[word] = n
				words = append(words, word)
				of = append(of, nil)
			}
			if !slices.Contains(of[n], i) {
				of[n] = append(of[n], i)
			}
		}
	}
	return &engine{rules: all, words: scan.NewWords(words), rulesOf: of}
}

// find returns the secrets of a text in order, none overlapping another.
func (e *engine) find(text string, depth int) []span {
	p := pass{engine: e, text: text, depth: depth, past: make([]int, len(e.rules))}
	p.look()
	return p.merged()
}

func (p *pass) look() {
	p.work += len(p.text)
	p.words.Walk(p.text, func(at, keyword int) {
		for _, n := range p.rulesOf[keyword] {
			rule := &p.rules[n]
			if !rule.inWord && at > 0 && scan.IsWord(p.text[at-1]) {
				continue
			}
			p.rule = n
			p.work++
			rule.look(p, at, p.words.Length(keyword))
		}
	})
}

// merged is what was found, in order. The rules stand from the particular to
// the general: of two that begin together the first names the secret. All that
// any of them covers goes.
func (p *pass) merged() []span {
	if len(p.spans) < 2 {
		return p.spans
	}
	slices.SortStableFunc(p.spans, func(a, b span) int { return cmp.Or(a.from-b.from, a.rule-b.rule) })
	kept := p.spans[:1]
	for _, s := range p.spans[1:] {
		last := &kept[len(kept)-1]
		if s.from >= last.to {
			kept = append(kept, s)
			continue
		}
		last.to = max(last.to, s.to)
	}
	return kept
}
