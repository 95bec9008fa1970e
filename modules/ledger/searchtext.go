package ledger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SearchRevision rises whenever SearchText gives other terms for the same
// event. An index made with another one is rebuilt before anything is
// deleted from it: a contentless index deletes by text.
const SearchRevision = 1

// longest is where a word is cut, in bytes: nobody types more of one, and
// encoded data would fill the index with words that occur once.
const longest = 48

// SearchText is what an event is found by: the words of all its texts, in
// order, separated by spaces. It depends on the event's stored body alone.
func SearchText(event *transcript.Event) string {
	var words []string
	for _, text := range texts(event) {
		words = appendWords(words, text, false)
	}
	return strings.Join(words, " ")
}

// Words are the terms of one text as SearchText makes them.
func Words(text string) []string { return appendWords(nil, text, false) }

// texts lists what can be searched of an event, the most telling first, so
// that a snippet is taken from there.
func texts(event *transcript.Event) []string {
	texts := []string{event.Text}
	if call := event.Call; call != nil {
		texts = append(texts, call.Name, call.Command, call.Detail)
		texts = append(texts, call.Paths...)
	}
	if result := event.Result; result != nil {
		texts = append(texts, result.Text)
	}
	if decision := event.Decision; decision != nil {
		texts = append(texts, decision.Topic, decision.Question, decision.Rationale, decision.Tradeoffs)
		texts = append(texts, decision.Chosen...)
		for _, option := range decision.Options {
			texts = append(texts, option.Label, option.Description)
		}
		for _, refused := range decision.Rejected {
			texts = append(texts, refused.Option, refused.Reason)
		}
	}
	for _, item := range event.Items {
		texts = append(texts, item.Text)
	}
	if workDir := event.WorkDir; workDir != nil {
		texts = append(texts, workDir.Cwd, workDir.Branch)
	}
	if git := event.Git; git != nil {
		texts = append(texts, git.Branch)
		texts = append(texts, git.Commits...)
	}
	if code := event.Code; code != nil {
		texts = append(texts, code.Added...)
	}
	return append(texts, event.Symbols...)
}

// appendWords splits a text. A name made of several words (camelCase,
// snake_case, kebab-case) gives the words joined, which is the same however
// it is written, and then each one. A run of Chinese, Japanese or Korean gives
// every two neighbours and the last character; of a query's last run the last
// character is left out, because in the text the run may go on.
func appendWords(words []string, text string, query bool) []string {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case isCJK(r):
			end := at + runLength(text[at:], isCJK)
			words = appendPairs(words, text[at:end], query && end == len(text))
			at = end
		case isWordRune(r):
			end := at + nameLength(text[at:])
			words = appendName(words, text[at:end])
			at = end
		default:
			at += size
		}
	}
	return words
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isCJK(r)
}

func isCJK(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// runLength is how many bytes of the text's beginning belong to a class.
func runLength(text string, class func(rune) bool) int {
	for at, r := range text {
		if !class(r) {
			return at
		}
	}
	return len(text)
}

// nameLength is the length of the name a text begins with: words joined by
// single underscores or hyphens.
func nameLength(text string) int {
	at := 0
	for {
		at += runLength(text[at:], isWordRune)
		if at+1 >= len(text) || text[at] != '_' && text[at] != '-' {
			return at
		}
		if next, _ := utf8.DecodeRuneInString(text[at+1:]); !isWordRune(next) {
			return at
		}
		at++
	}
}

func appendName(words []string, name string) []string {
	if isPlain(name) {
		return append(words, truncateWord(name))
	}
	parts := nameParts(name)
	if len(parts) == 1 {
		return append(words, truncateWord(parts[0]))
	}
	words = append(words, truncateWord(strings.Join(parts, "")))
	for _, part := range parts {
		if len(part) > 1 {
			words = append(words, truncateWord(part))
		}
	}
	return words
}

// isPlain reports whether a name is its own only word, as most are.
func isPlain(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// nameParts splits a name at underscores, hyphens and humps, in lower case:
// parseHTTPHeader is parse, http, header.
func nameParts(name string) []string {
	var parts []string
	start, previous := 0, rune(0)
	split := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
	}
	for at, r := range name {
		switch {
		case r == '_' || r == '-':
			split(at)
			start = at + 1
		case isUpper(r) && previous != 0 && (!isUpper(previous) || isLower(runeAt(name, at+utf8.RuneLen(r)))):
			split(at)
			start = at
		}
		previous = r
	}
	split(len(name))
	return parts
}

// runeAt is the rune at an offset, utf8.RuneError behind the end.
func runeAt(text string, at int) rune {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return r
}

func isUpper(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

func isLower(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z'
	}
	return unicode.IsLower(r)
}

// truncateWord bounds a word, at a rune boundary.
func truncateWord(word string) string {
	if len(word) <= longest {
		return word
	}
	end := longest
	for end > 0 && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

// appendPairs adds the neighbours of a run without spaces.
func appendPairs(words []string, run string, open bool) []string {
	previous := 0
	for at, r := range run {
		if at > 0 {
			words = append(words, run[previous:at+utf8.RuneLen(r)])
			previous = at
		}
	}
	if open && previous > 0 {
		return words
	}
	return append(words, run[previous:])
}
