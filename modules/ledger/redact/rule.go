package redact

import (
	"strings"
	"sync"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// rule is one kind of secret.
type rule struct {
	kind     string
	keywords []string // looked for in any case
	inWord   bool     // the keyword may follow a letter or digit
	// look is called at each keyword, of n bytes, and emits what is a secret.
	look func(p *pass, at, n int)
}

// Windows, in bytes: a token, a signed one that carries data, and a block of
// several lines (an RSA-4096 key in PEM has about 3,300 bytes).
const (
	tokenWindow  = 512
	signedWindow = 4 << 10
	blockWindow  = 16 << 10
)

// prefixed is a rule for tokens that say themselves what they are, of at least
// so many bytes. The keywords count in the case they are written in.
func prefixed(kind string, least int, pattern string, keywords ...string) rule {
	compiled := sync.OnceValue(func() scan.Pattern { return scan.NewPattern(pattern) })
	return rule{kind: kind, keywords: keywords, look: func(p *pass, at, n int) {
		if !hasAny(p.text[at:at+n], keywords) || at < p.past[p.rule] {
			return
		}
		window := p.text[:min(len(p.text), at+tokenWindow)]
		from, to, ok := compiled().Match(window, at)
		if !ok {
			return
		}
		p.work += to - at
		p.past[p.rule] = to // whoever begins in here is shorter
		if to-from >= least {
			p.emit(from, to)
			return
		}
		p.joined(at, to, least, compiled())
	}}
}

// joined tries a token that a terminal has wrapped: as it would stand on one
// line. What is put together must look like a secret, since the next line may
// have nothing to do with this one.
func (p *pass) joined(at, broken, least int, pattern scan.Pattern) {
	whole, offsets := unwrap(p.text[:min(len(p.text), at+tokenWindow)], at, broken)
	if whole == "" {
		return
	}
	p.work += len(whole)
	from, to, ok := pattern.Match(whole, 0)
	if ok && to-from >= least && generated(whole[from:to]) {
		p.emit(offsets[from], offsets[to-1]+1)
	}
}

// wordStart is where the word begins that offset at lies in or ends, hyphens counted
// in; no more than so many bytes before.
func wordStart(text string, at, most int) int {
	from := at
	for from > 0 && at-from < most && (scan.IsWord(text[from-1]) || text[from-1] == '-') {
		from--
	}
	return from
}

// wraps is how many line breaks a wrapped token may have.
const wraps = 3

// unwrap returns a text from at on with its first line breaks taken out, and
// where each byte stood; nothing when there is no line break at broken.
func unwrap(text string, at, broken int) (whole string, offsets []int) {
	var out strings.Builder
	for breaks := 0; at < len(text); {
		next := at
		if at >= broken {
			next = afterBreak(text, at)
		}
		switch {
		case next > at && breaks == wraps:
			return out.String(), offsets
		case next > at:
			breaks++
			at = next
		case at == broken:
			return "", nil
		default:
			out.WriteByte(text[at])
			offsets = append(offsets, at)
			at++
		}
	}
	return out.String(), offsets
}

// afterBreak is where the text goes on after a line break at offset at, with
// what a terminal or an editor puts around one; at, when there is none.
func afterBreak(text string, at int) int {
	i := at
	for i < len(text) && (text[i] == ' ' || text[i] == '\\' || text[i] == '\r') {
		i++
	}
	escaped := i < len(text) && text[i] == 'n' && i > at && text[i-1] == '\\'
	if !escaped && (i >= len(text) || text[i] != '\n') {
		return at
	}
	i++
	for i < len(text) && strings.IndexByte(" \t|>", text[i]) >= 0 {
		i++
	}
	return i
}

func hasAny(text string, words []string) bool {
	for _, word := range words {
		if text == word {
			return true
		}
	}
	return false
}

// accepting adds a look at the secret that a rule has found.
func accepting(accept func(string) bool, r rule) rule {
	inner := r.look
	r.look = func(p *pass, at, n int) {
		before := len(p.spans)
		inner(p, at, n)
		for i := before; i < len(p.spans); i++ {
			if s := p.spans[i]; !accept(p.text[s.from:s.to]) {
				p.spans = append(p.spans[:i], p.spans[i+1:]...)
				i--
			}
		}
	}
	return r
}
