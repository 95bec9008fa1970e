package redact

import (
	"regexp"
	"strings"
)

// rule is one kind of secret.
type rule struct {
	kind     string
	keywords []string
	anyCase  bool // the keywords are also looked for in upper case and capitalised
	inWord   bool // the keyword may follow a letter or digit
	// pattern is tried at the keyword. Group 1 is the secret where there is
	// one, else the whole match.
	pattern *regexp.Regexp
	// window is how many bytes from the keyword on the pattern sees.
	window int
	// accept looks at the secret the pattern found; nil takes all.
	accept func(secret string) bool
}

// words lists the spellings of the keywords.
func (r *rule) words() []string {
	if !r.anyCase {
		return r.keywords
	}
	var words []string
	for _, word := range r.keywords {
		words = append(words, word, strings.ToUpper(word), strings.ToUpper(word[:1])+word[1:])
	}
	return words
}

// match tries the rule at a keyword that begins at offset at.
func (r *rule) match(text string, at int) (from, to int, ok bool) {
	if !r.inWord && at > 0 && isWord(text[at-1]) {
		return 0, 0, false
	}
	seen := text[at:min(len(text), at+r.window)]
	found := r.pattern.FindStringSubmatchIndex(seen)
	if found == nil {
		return 0, 0, false
	}
	from, to = found[0], found[1]
	if len(found) > 2 {
		from, to = found[2], found[3]
	}
	secret := seen[from:to]
	if strings.HasPrefix(secret, markerStart) || r.accept != nil && !r.accept(secret) {
		return 0, 0, false
	}
	return at + from, at + to, true
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
