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
	least  int // bytes of the shortest secret
	// ruledOut is asked before the pattern, which costs a microsecond; nil
	// rules nothing out.
	ruledOut func(seen string) bool
	// accept looks at the secret the pattern found; nil takes all.
	accept func(secret string) bool
	// scan stands in for window and pattern where many keywords may lie in one
	// text that a pattern would read again from each of them.
	scan func(text string, at int, runs *tokenRuns) (to int, ok bool)
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
func (r *rule) match(text string, at int, runs *tokenRuns) (from, to int, ok bool) {
	if !r.inWord && at > 0 && isWord(text[at-1]) {
		return 0, 0, false
	}
	if r.scan != nil {
		to, ok = r.scan(text, at, runs)
		return at, to, ok && to-at >= r.least
	}
	seen := text[at:min(len(text), at+r.window)]
	if r.ruledOut != nil && r.ruledOut(seen) {
		return 0, 0, false
	}
	found := r.pattern.FindStringSubmatchIndex(seen)
	if found == nil {
		return 0, 0, false
	}
	from, to = found[0], found[1]
	if len(found) > 2 {
		from, to = found[2], found[3]
	}
	secret := seen[from:to]
	ok = len(secret) >= r.least && !strings.HasPrefix(secret, markerStart) && (r.accept == nil || r.accept(secret))
	return at + from, at + to, ok
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// noAssignment reports that what begins with a name is not followed by a value.
func noAssignment(seen string) bool {
	at := 0
	for at < len(seen) && (isWord(seen[at]) || seen[at] == '.' || seen[at] == '-') {
		at++
	}
	for at < len(seen) && strings.IndexByte(" \t\n\"'`]\\", seen[at]) >= 0 {
		at++
	}
	return at == len(seen) || seen[at] != '=' && seen[at] != ':'
}

// noUser reports that a URL has no user in front of its host.
func noUser(seen string) bool {
	end := strings.IndexAny(seen, "@ \t\n\"'`<>")
	return end < 0 || seen[end] != '@'
}
