package redact

import (
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bits per character, by Shannon: an English word of eight letters has 2.5 to
// 2.9, eight random letters and digits about 3.0, twenty about 4.
const quotedBits = 3.0

// identifier matches what is long and random and no secret: UUIDs and hashes.
var identifier = pattern(`\A(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:sha(?:1|256|384|512)[:-])?[0-9a-f]{12,})\z`)

// pattern is a regular expression that is compiled when it is first used: the program
// that hooks run starts anew each time.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// placeholders are what people write where a secret would stand.
var placeholders = []string{
	"example", "changeme", "change-me", "placeholder", "your-", "your_", "xxxx", "****", "....", "process.env",
	"os.environ", "getenv", "redacted", "dummy", "sample",
}

// notPlaceholder reports whether a value could be a real one.
func notPlaceholder(value string) bool {
	if strings.ContainsAny(value[:1], "<$%{(*") || strings.Contains(value, "${") || strings.Contains(value, "{{") {
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

// random reports whether a value of unknown form looks made by a generator:
// letters and digits, enough bits per character, and neither an identifier
// nor a path.
func random(value string) bool {
	return mixed(value) && !identifier().MatchString(value) && !isPath(value) && entropy(value) >= quotedBits
}

// generated reports whether a value was made by a generator or thought up as a
// password, and is not the name of something: names of code have digits at the
// ends of their words and capitals at the beginnings.
func generated(value string) bool {
	return len(value) >= 8 && mixed(value) && !identifier().MatchString(value) && !isPath(value) && oddness(value) >= 2
}

// invented reports whether a value was made by a generator or made up as a password,
// by its looks alone.
func invented(value string) bool { return generated(value) || madeUp(value) }

// oddness counts what names do not have: digits that letters follow, capitals
// within a word, and signs.
func oddness(value string) int {
	odd := 0
	for i := 1; i < len(value); i++ {
		before, now := kindOf(value[i-1]), kindOf(value[i])
		switch {
		case now == sign && value[i] < utf8.RuneSelf:
			odd++
		case before == digit && (now == lower || now == upper):
			odd++
		case before == upper && now == lower && i > 1 && kindOf(value[i-2]) == upper:
			odd++
		case before == lower && now == digit && i > 1 && kindOf(value[i-2]) != lower:
			odd++
		}
	}
	return odd
}

type byteKind uint8

const (
	other byteKind = iota
	lower
	upper
	digit
	sign
)

func kindOf(b byte) byteKind {
	switch {
	case b >= 'a' && b <= 'z':
		return lower
	case b >= 'A' && b <= 'Z':
		return upper
	case b >= '0' && b <= '9':
		return digit
	case strings.IndexByte("!@#$%^&*+~=?", b) >= 0:
		return sign
	default:
		return other
	}
}

// manyLetters reports whether a value of letters alone looks made by a generator:
// long, and its capitals stand anywhere.
func manyLetters(value string, least int) bool {
	turns := 0
	for i := 1; i < len(value); i++ {
		if kindOf(value[i]) != lower && kindOf(value[i]) != upper {
			return false
		}
		if kindOf(value[i]) != kindOf(value[i-1]) {
			turns++
		}
	}
	return len(value) >= least && turns*5 >= 2*len(value) && entropy(value) >= 3+0.05*float64(min(len(value), 20)-6)
}

// madeUp reports whether a value is a password as people are asked to make one
// up: capitals and small letters, digits, and a sign.
func madeUp(value string) bool {
	var has [sign + 1]int
	for i := range len(value) {
		has[kindOf(value[i])]++
	}
	return len(value) >= 8 && has[lower] > 0 && has[upper] > 0 && has[digit] > 1 && has[sign] > 0 && has[other] == 0
}

// hexKey reports whether a value is a key in hexadecimal digits: of 16 bytes or
// more, which is what a name must say to tell it from a hash.
func hexKey(value string) bool {
	value = strings.TrimPrefix(strings.TrimPrefix(value, "0x"), "sha256:")
	if len(value) < 32 {
		return false
	}
	for i := range len(value) {
		if b := value[i] | 0x20; (b < '0' || b > '9') && (b < 'a' || b > 'f') {
			return false
		}
	}
	return entropy(value) >= 2.5
}

// fileName matches the name of a file that may hold a secret, and options that name
// one: id=TOKEN,src=FILE.
var fileName = pattern(`\A[\w./-]+\.(?:ya?ml|json|toml|env|txt|key|pem|conf|cfg|ini|go|py|ts|js|sh)\z|\A(?:id|src|source|type)=`)

func isPath(value string) bool {
	if len(value) == 40 && oddness(value) > 5 && !strings.ContainsAny(value, ".-_:") {
		return false // a secret key of AWS may begin with a slash
	}
	return fileName().MatchString(value) || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") ||
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
