package dialogue

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// WordsOf are the stems of the words of content in a text.
func WordsOf(text string, lex *words.Lexicon) map[string]bool {
	set := map[string]bool{}
	for _, w := range lex.Content(text) {
		set[Stem(w)] = true
	}
	return set
}

// Overlap counts the words that two sets have in common.
func Overlap(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// SameRequest says that two sets are those of one request in nearly the same words.
func SameRequest(a, b map[string]bool) bool {
	common := Overlap(a, b)
	return common >= leastSame && common*5 >= (len(a)+len(b)-common)*4
}

// leastSame is how many words of content two requests have in common at least that are the same.
const leastSame = 4

// SameMatter says that two sets have so many words in common at least, and most of the
// smaller one.
func SameMatter(a, b map[string]bool, least int) bool {
	same := Overlap(a, b)
	return same >= least && same*3 >= min(len(a), len(b))*2
}

// NamedIn counts the things of the work that a sentence names: code, paths,
// identifiers, numbers.
func NamedIn(text string) int {
	n := strings.Count(text, "`") / 2
	for _, w := range strings.Fields(text) {
		if !strings.Contains(w, "`") && (isIdentifier(w) || strings.Contains(w, "/") && len(w) > 4) || strings.IndexFunc(w, unicode.IsDigit) >= 0 {
			n++
		}
	}
	return n
}

// Bent is the word of a set that another one is a form of: the same, or a longer
// or shorter one. A word of which another is a form is longer than words of content are at
// least.
func Bent(set map[string]bool, w string) string {
	if set[w] {
		return w
	}
	found := ""
	for known := range set {
		short, long := known, w
		if len(short) > len(long) {
			short, long = long, short
		}
		if utf8.RuneCountInString(short) > words.Shortest(short) && strings.HasPrefix(long, short) && (found == "" || known < found) {
			found = known
		}
	}
	return found
}

// Stem is the beginning of a word, as most languages bend its end.
func Stem(w string) string {
	letters := []rune(w)
	return string(letters[:min(len(letters), 6)])
}

// Quotes says that a sentence stands in a text word by word, whatever its marks.
func Quotes(sentence, text string) bool {
	said := bareWords(sentence)
	return len(said) >= quotedWords && strings.Contains(bareWords(text), said)
}

// quotedWords is how long a sentence is at least that is taken for a quotation, in bytes
// of its letters and digits.
const quotedWords = 20

func bareWords(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Asks says that a text is a question, with its mark or without.
func Asks(text string, lex *words.Lexicon) bool {
	return prose.IsQuestion(text) || AsksUnmarked(text, lex)
}

// AsksUnmarked says that a text is a question without its mark: one sentence that begins
// as a question does.
func AsksUnmarked(text string, lex *words.Lexicon) bool {
	return !prose.IsQuestion(text) && lex != nil && lex.Begins(words.Asks, text) && len(prose.SplitSentences(text)) == 1
}
