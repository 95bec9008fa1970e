package redact

import (
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// keptRule is a rule of gitleaks: a token with a form of its own, or, with a
// name, a value of some form that is assigned to it.
type keptRule struct {
	kind    string
	words   string // keywords, separated by spaces
	name    string // pattern of the name; "" when the token needs none
	back    int    // how many bytes the token may begin before the keyword
	pattern string
	bits    float64 // least entropy of the secret
}

// rule compiles a rule of gitleaks, when its keyword is met for the first time.
func (k keptRule) rule() rule {
	patterns := sync.OnceValue(func() [2]scan.Pattern {
		if k.name == "" {
			return [2]scan.Pattern{nil, scan.NewPattern(k.pattern)}
		}
		return [2]scan.Pattern{scan.NewPattern(k.name), scan.NewPattern(k.pattern)}
	})
	look := func(p *pass, at, _ int) { k.token(p, patterns()[1], at) }
	if k.name != "" {
		look = func(p *pass, at, _ int) { k.value(p, patterns(), at) }
	}
	return rule{kind: k.kind, keywords: strings.Fields(k.words), inWord: true, look: look}
}

func (k keptRule) token(p *pass, pattern scan.Pattern, at int) {
	text := p.text[:min(len(p.text), at+tokenWindow)]
	for from := at; from >= max(0, at-k.back); from-- {
		p.work++
		if begin, end, ok := pattern.Match(text, from); ok {
			p.work += end - begin
			if entropy(text[begin:end]) >= k.bits && (end-begin > 32 || strings.ContainsAny(text[begin:end], digitBytes)) {
				p.emit(begin, end)
			}
			return
		}
	}
}

func (k keptRule) value(p *pass, patterns [2]scan.Pattern, at int) {
	text := p.text[:min(len(p.text), at+tokenWindow)]
	_, end, ok := patterns[0].Match(text, at)
	if !ok {
		return
	}
	for _, begin := range valuesAfter(text, end) {
		to, ok := patterns[1].End(text, begin)
		p.work += 32
		if ok && endsValue(text, to) && k.likely(text[begin:to]) {
			p.emit(begin, to)
			return
		}
	}
}

// likely reports whether a value is no plain word: gitleaks has lists of them,
// here it must have a digit and a letter, or digits alone when that is its form.
func (k keptRule) likely(value string) bool {
	if strings.Trim(value, digitBytes) == "" {
		return len(value) >= 15 && strings.HasPrefix(k.pattern, "(?i)[0-9]")
	}
	return entropy(value) >= max(k.bits, quotedBits-0.5) && mixed(strings.Trim(value, `"`))
}

// valuesAfter lists where a value may begin that is assigned to a name which
// ends at offset at: behind up to 20 further characters of it, an operator, and
// quotes, each of which gitleaks also takes for part of a value.
func valuesAfter(text string, at int) []int {
	limit := min(len(text), at+20)
	for at < limit && (scan.IsWord(text[at]) || strings.IndexByte(" \t.-", text[at]) >= 0) {
		at++
	}
	for range 3 {
		if at < len(text) && strings.IndexByte(" \t\n\r\f'\"", text[at]) >= 0 {
			at++
		}
	}
	operator := operatorAt(text, at)
	if operator == 0 {
		return nil
	}
	begin := at + operator
	starts := []int{begin}
	for range 5 {
		if begin < len(text) && strings.IndexByte("`'\" \t\n\r\f=", text[begin]) >= 0 {
			begin++
			starts = append(starts, begin)
		}
	}
	return starts
}

// operatorAt is the length of the operator at an offset, 0 without one.
func operatorAt(text string, at int) int {
	for _, operator := range []string{":::=", "::=", ":=", "=>", "?=", "||", "=", ">", ":", ","} {
		if strings.HasPrefix(text[at:], operator) {
			return len(operator)
		}
	}
	return 0
}

const digitBytes = "0123456789"

func endsValue(text string, at int) bool {
	return at == len(text) || strings.IndexByte("`'\" \t\n\r\f;", text[at]) >= 0 || text[at] == '\\' && at+1 < len(text) && strings.IndexByte("nrNR", text[at+1]) >= 0
}
