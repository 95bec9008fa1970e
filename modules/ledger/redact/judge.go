package redact

import (
	"math"
	"regexp"
	"strings"
)

// Bits per character, by Shannon: an English word of eight letters has 2.5 to
// 2.9, eight random letters and digits about 3.0, twenty about 4.
const (
	quotedBits   = 3.0
	unquotedBits = 3.4
)

// identifier matches what is long and random and no secret: UUIDs and hashes.
var identifier = regexp.MustCompile(`\A(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:sha(?:1|256|384|512)[:-])?[0-9a-f]{12,})\z`)

// placeholders are what people write where a secret would stand.
var placeholders = []string{
	"example", "changeme", "change-me", "placeholder", "your-", "your_", "xxxx", "****", "....", "process.env",
	"os.environ", "getenv", "redacted", "dummy", "sample",
}

// notPlaceholder reports whether a value could be a real one.
func notPlaceholder(value string) bool {
	if strings.ContainsAny(value[:1], "<$%{(") || strings.Contains(value, "${") || strings.Contains(value, "{{") {
		return false
	}
	lower := strings.ToLower(value)
	for _, word := range placeholders {
		if strings.Contains(lower, word) {
			return false
		}
	}
	return true
}

// mixed reports whether a value has a digit and a letter: names of things
// written with hyphens and plain words do not.
func mixed(value string) bool {
	return notPlaceholder(value) && strings.ContainsAny(value, "0123456789") &&
		strings.ContainsFunc(value, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

func highEntropy(value string) bool { return random(value, quotedBits) }

func veryHighEntropy(value string) bool { return random(value, unquotedBits) }

// random reports whether a value of unknown form looks made by a generator:
// letters and digits, enough bits per character, and neither an identifier
// nor a path.
func random(value string, bits float64) bool {
	return mixed(value) && !identifier.MatchString(value) && !isPath(value) && entropy(value) >= bits
}

func isPath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
		strings.HasPrefix(value, "~/") || strings.Contains(value, "://")
}

// entropy is the Shannon entropy of the bytes of a text, in bits per byte.
func entropy(text string) float64 {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	bits, n := 0.0, float64(len(text))
	for _, count := range counts {
		if count > 0 {
			p := float64(count) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
