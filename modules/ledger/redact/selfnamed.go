package redact

import (
	"strings"

	"github.com/carryover-go/carryover/modules/ledger/redact/internal/scan"
)

// Many issuers begin their tokens with letters of their own and a word that says
// what it is: csk-, nvapi-, CCIPAT_, pcsk_. Who issued it need not be known: what
// follows must look made by a generator.

// tokenWords say of a token what it is.
var tokenWords = []string{"sk-", "sk_", "pk_", "api-", "api_", "key-", "key_", "pat-", "pat_", "tok_", "token-", "token_", "secret-", "secret_"}

const (
	issuerLetters = 6  // before such a word
	tokenTail     = 20 // bytes of the last part of a token
)

// selfNamed looks at a word that may say of a token what it is.
func selfNamed(p *pass, at, n int) {
	from := wordStart(p.text, at, issuerLetters+1)
	if !issuer(p.text[from:at]) || at < p.past[p.rule] {
		return
	}
	to := at + n
	for to < len(p.text) && to-at < tokenWindow && (scan.IsWord(p.text[to]) || p.text[to] == '-') {
		to++
	}
	p.work += to - from
	p.past[p.rule] = to
	tail := p.text[at+n : to]
	if cut := strings.LastIndexAny(tail, "-_"); cut >= 0 && len(tail)-cut-1 >= tokenTail {
		tail = tail[cut+1:]
	}
	if len(tail) >= tokenTail && !worded(tail) && oddness(tail) >= 3 && entropy(tail) >= quotedBits && notPlaceholder(tail) && !isUUID(tail) {
		p.emit(from, to)
	}
}

// worded reports whether one of several parts is a word, as in the address of a page.
func worded(tail string) bool {
	for part := range strings.FieldsFuncSeq(tail, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) > 3 && len(part) < len(tail) && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz") == "" {
			return true
		}
	}
	return false
}

// issuer reports whether letters before the word can be the sign of an issuer:
// none, or few, and no part of another word as in task_ or monkey-.
func issuer(before string) bool {
	if len(before) > issuerLetters {
		return false
	}
	for i := range len(before) {
		if kind := kindOf(before[i]); kind == upper {
			continue
		} else if kind != lower || strings.IndexByte("aeiou", before[i]) >= 0 {
			return false
		}
	}
	return true
}
