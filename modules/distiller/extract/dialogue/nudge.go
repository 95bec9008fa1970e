package dialogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/words"
)

// A nudge moves the agent on without saying what to do: "yes", "continue",
// "weiter", "try agian". What was asked before it goes on. It is known by what
// is left once the words that say nothing are gone, and where the language is
// not known by being no more than two words without a name in them.

// IsNudge says whether a prompt only moves the agent on. Digits alone are one
// too: they pick from a list.
func IsNudge(text string, lex *words.Lexicon) bool {
	tokens := words.Tokens(text)
	return len(tokens) <= 12 && !strings.HasSuffix(strings.TrimSpace(text), "?") && (lex.Empty(text) || onlyDigits(tokens))
}

func onlyDigits(tokens []string) bool {
	for _, t := range tokens {
		if !allDigits(t) {
			return false
		}
	}
	return true
}

// IsThin says that a prompt cannot stand alone: it has too few words of its own
// to stand without what it goes on from.
func IsThin(text string, lex *words.Lexicon) bool {
	if Names(text) {
		return false
	}
	if lex == nil { // without a word list every word counts
		return len(strings.Fields(text)) <= 3 && utf8.RuneCountInString(text) <= 24
	}
	fresh := slices.DeleteFunc(lex.Content(text), lex.Empty)
	return lex.Weight(strings.Join(fresh, " ")) < 3
}

// Names says that a text names a thing of the work: a path, a URL, an
// identifier, code.
func Names(text string) bool {
	if strings.ContainsAny(text, "`/") || strings.Contains(text, "://") {
		return true
	}
	for _, w := range strings.Fields(text) {
		if isIdentifier(w) {
			return true
		}
	}
	return false
}

// NamedBefore says that a text is nothing but a name that what was said before it gave, as of a
// file that the agent wants to see.
func NamedBefore(text, said string) bool {
	return Names(text) && !strings.ContainsAny(text, " \n") && strings.Contains(said, text)
}

// isIdentifier says that a word is a name from code: inner capitals, an
// underscore, a dot inside, a call.
func isIdentifier(w string) bool {
	w = strings.Trim(w, "`'\"(),.:;!?*[]{}<>“”‘’")
	if strings.Count(w, "")-1 < 3 {
		return false
	}
	if strings.ContainsAny(w, "_") || strings.Contains(w, "()") || strings.Contains(w, "::") {
		return true
	}
	if i := strings.IndexByte(w, '.'); i > 0 && i < len(w)-1 && !strings.Contains(w, "..") && !allDigits(strings.ReplaceAll(w, ".", "")) {
		return utf8.RuneCountInString(w[i+1:]) <= 5 || unicode.IsUpper(rune(w[i+1]))
	}
	lower := false
	for i, r := range w {
		if i > 0 && lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// IsConsent says whether a prompt says yes, and not merely "next" or "hello".
func IsConsent(text string, lex *words.Lexicon) bool { return lex.Begins(words.Yes, text) }

func allDigits(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}
