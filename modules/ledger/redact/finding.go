package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Finding is a secret in a text.
type Finding struct {
	Kind     string
	From, To int // bytes of the text
	Line     int // of its beginning, from 1
	// Fingerprint tells secrets apart without giving them away: the first six
	// bytes of the SHA-256 of the secret, in hexadecimal digits.
	Fingerprint string
}

// Find lists the secrets that one look at a text finds, in order.
func Find(text string) []Finding {
	e := compiled()
	var all []Finding
	line, done := 1, 0
	for _, s := range e.find(text, 0) {
		line += strings.Count(text[done:s.from], "\n")
		done = s.from
		all = append(all, Finding{e.rules[s.rule].kind, s.from, s.to, line, fingerprint(text[s.from:s.to])})
	}
	return all
}

func fingerprint(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}

// Keywords lists what the rules look for, for tests and measurements.
func Keywords() (words []string) {
	for _, rule := range compiled().rules {
		words = append(words, rule.keywords...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}
