// Package words holds the few words of each language that the distiller looks
// for. They only sharpen what structure and evidence already say: Lexicon's
// zero value knows none, and every rule has to work with it.
package words

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Class is what a word is used for.
type Class string

// The classes. A file of a language has one line for each it knows.
const (
	Function  Class = "function"  // says nothing by itself: articles, pronouns, auxiliaries
	Nudge     Class = "nudge"     // moves the agent on: continue, next, thanks
	Yes       Class = "yes"       // begins a consent
	No        Class = "no"        // begins a refusal or a correction
	Demand    Class = "demand"    // forbids, demands or limits: never, only, must
	Lasting   Class = "lasting"   // demands for good: never, always, must
	Modal     Class = "modal"     // tells what can or will be, before a word that would forbid it: can never
	None      Class = "none"      // rules out what is named behind it: no, keine
	Never     Class = "never"     // forbids for good, at the start of a clause
	Needs     Class = "needs"     // says what is needed, missing or impossible here
	Contrast  Class = "contrast"  // chooses one thing over another: instead of, rather than
	Either    Class = "either"    // parts the two things that a question leaves to choose: or
	Reason    Class = "reason"    // because, so that
	Next      Class = "next"      // heads what is still to do
	Grave     Class = "grave"     // grades what a review found: critical, minor
	Done      Class = "done"      // heads what is finished
	Open      Class = "open"      // heads what is not clear
	Doubt     Class = "doubt"     // says that something is not certain
	Blocked   Class = "blocked"   // says that something waits or is not there yet
	Held      Class = "held"      // says for whom or what something waits
	Intent    Class = "intent"    // begins what somebody is about to do: I'll, let me
	Then      Class = "then"      // begins the later of two steps
	Doing     Class = "doing"     // begins what somebody is at: I'm, before a verb in -ing
	Offer     Class = "offer"     // puts something up for choice: should I, would you
	Recommend Class = "recommend" // marks the option that is advised
	Propose   Class = "propose"   // says what its writer would do: I'd, the fix would be
	Cause     Class = "cause"     // names what was found to be behind a fault
	Affirms   Class = "affirms"   // says what holds from now on: we decided, stays, for now
	Pointer   Class = "pointer"   // points to what was said before: that, those
	Await     Class = "await"     // asks without a question mark: say the word
	Courtesy  Class = "courtesy"  // asks for a task and not about one: anything else
	Wish      Class = "wish"      // what such a question is worded with: want, like, need
	Condition Class = "condition" // makes an offer depend on the person: if you want
	Self      Class = "self"      // the speaker: I, we
	Asks      Class = "asks"      // begins a question, with a question mark or none: how would
	All       Class = "all"       // points to every option: all, everything
	Both      Class = "both"      // points to two options: both
	First     Class = "1"         // ordinals: "the second" points to an option
	Second    Class = "2"
	Third     Class = "3"
	Fourth    Class = "4"
	Last      Class = "last"
)

//go:embed lang/*.txt
var languages embed.FS

// Lexicon is a set of words by class. A phrase is one entry, with spaces.
type Lexicon struct {
	classes map[Class]map[string]bool
	phrases map[Class][]string // what is looked for inside a text, lower case
	pieces  []string           // nudges of scripts without spaces, longest first
	lengths [][]string         // nudges and consents that may be mistyped, by how many characters they have
	inside  map[Class]*lazyregexp.Literals
}

// Known returns all languages together: nobody says which one a session is in.
var Known = sync.OnceValue(func() *Lexicon {
	l := &Lexicon{classes: map[Class]map[string]bool{}, phrases: map[Class][]string{}}
	files, _ := languages.ReadDir("lang")
	for _, file := range files {
		text, _ := languages.ReadFile("lang/" + file.Name())
		l.read(string(text))
	}
	slices.SortFunc(l.pieces, func(a, b string) int { return len(b) - len(a) })
	l.index()
	return l
})

// index makes what is looked through for every text.
func (l *Lexicon) index() {
	l.inside = map[Class]*lazyregexp.Literals{}
	for class, phrases := range l.phrases {
		l.inside[class] = lazyregexp.NewLiterals(phrases...)
	}
	for _, class := range []Class{Nudge, Yes} {
		for _, word := range l.phrases[class] {
			n := utf8.RuneCountInString(word)
			for len(l.lengths) <= n {
				l.lengths = append(l.lengths, nil)
			}
			if n >= typed {
				l.lengths[n] = append(l.lengths[n], word)
			}
		}
	}
}

// typed is how many characters a word has at least that may be mistyped.
const typed = 5

func (l *Lexicon) read(text string) {
	for line := range strings.Lines(text) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		class := Class(name)
		if l.classes[class] == nil {
			l.classes[class] = map[string]bool{}
		}
		for word := range strings.FieldsSeq(list) {
			word = strings.ReplaceAll(word, "_", " ")
			l.classes[class][word] = true
			l.phrases[class] = append(l.phrases[class], word)
			if unspaced(word) && (class == Nudge || class == Yes || class == Function) {
				l.pieces = append(l.pieces, word)
			}
		}
	}
}

// Has says whether a word, in lower case, is of a class.
func (l *Lexicon) Has(class Class, word string) bool {
	return l != nil && l.classes[class][word]
}

// In says whether a text holds a word or phrase of a class, at word bounds
// where the script has them.
func (l *Lexicon) In(class Class, text string) bool {
	if l == nil {
		return false
	}
	low := strings.ToLower(text)
	return l.inside[class].Any(low) && slices.ContainsFunc(l.phrases[class], func(p string) bool { return holds(low, p) })
}

// Split splits a text around its first word or phrase of a class.
func (l *Lexicon) Split(class Class, text string) (before, after string, found bool) {
	if l == nil {
		return text, "", false
	}
	low, at, end := strings.ToLower(text), -1, 0
	if len(low) != len(text) {
		return text, "", false // a letter whose small form is longer: places do not agree
	}
	if !l.inside[class].Any(low) {
		return text, "", false
	}
	for _, p := range l.phrases[class] {
		if i := index(low, p); i >= 0 && (at < 0 || i < at || i == at && i+len(p) > end) {
			at, end = i, i+len(p)
		}
	}
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[end:], true
}

// Count is how many words of a text are of a class.
func (l *Lexicon) Count(class Class, text string) int {
	n := 0
	for _, word := range Tokens(text) {
		if l.Has(class, word) {
			n++
		}
	}
	return n
}

// Begins says whether a text begins with a word or phrase of a class, whatever
// punctuation stands before it.
func (l *Lexicon) Begins(class Class, text string) bool {
	if l == nil {
		return false
	}
	low := strings.TrimLeftFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(l.phrases[class], func(p string) bool { return strings.HasPrefix(low, p) && bounded(low, p, 0) })
}

// Ends says whether a text ends with a word of a class.
func (l *Lexicon) Ends(class Class, text string) bool {
	if l == nil {
		return false
	}
	low := strings.TrimSpace(strings.ToLower(text))
	return slices.ContainsFunc(l.phrases[class], func(p string) bool {
		return strings.HasSuffix(low, p) && bounded(low, p, len(low)-len(p))
	})
}

// Announces says whether a text begins by what its writer is about to do,
// whatever words of order stand in front ("First, let me …").
func (l *Lexicon) Announces(text string) bool {
	for range leadWords {
		if l.Begins(Intent, text) {
			return true
		}
		word, rest, found := strings.Cut(strings.TrimSpace(text), " ")
		word = strings.ToLower(strings.TrimRight(word, ",.:;!—-"))
		next, after, _ := strings.Cut(rest, " ")
		if l.Has(Function, next) && !l.Has(No, next) { // "I'm also pulling the threads"
			next, _, _ = strings.Cut(after, " ")
		}
		if l.Has(Doing, word) && strings.HasSuffix(next, "ing") {
			return true
		}
		if !found || !l.Has(Next, word) && !l.Has(First, word) && !l.Has(Function, word) && !l.Has(Nudge, word) && !l.Has(Yes, word) {
			return false
		}
		text = rest
	}
	return false
}

// leadWords is behind how many words an announcement may begin.
const leadWords = 3

// Without is a text in lower case without the words and phrases of some
// classes.
func (l *Lexicon) Without(text string, classes ...Class) string {
	low := strings.ToLower(text)
	if l == nil {
		return low
	}
	for _, class := range classes {
		if !l.inside[class].Any(low) {
			continue
		}
		for _, phrase := range l.phrases[class] {
			low = erase(low, phrase)
		}
	}
	return low
}

func erase(low, phrase string) string {
	for from := 0; ; {
		i := strings.Index(low[from:], phrase)
		if i < 0 {
			return low
		}
		if at := from + i; bounded(low, phrase, at) {
			low = low[:at] + " " + low[at+len(phrase):]
			from = at
		} else {
			from = at + len(phrase)
		}
	}
}

// Heads says whether a heading speaks of a class: it begins with one of its
// words, or is hardly more than one.
func (l *Lexicon) Heads(class Class, heading string) bool {
	return heading != "" && (l.Begins(class, heading) || len(strings.Fields(heading)) <= 5 && l.In(class, heading))
}

func holds(low, phrase string) bool { return index(low, phrase) >= 0 }

// index is where a text first holds a phrase at word bounds, -1 for nowhere.
func index(low, phrase string) int {
	for from := 0; ; {
		i := strings.Index(low[from:], phrase)
		if i < 0 {
			return -1
		}
		if bounded(low, phrase, from+i) {
			return from + i
		}
		from += i + len(phrase)
	}
}

// bounded says that what stands at a place is a word of its own.
func bounded(low, phrase string, at int) bool {
	if unspaced(phrase) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(low[:at])
	after, _ := utf8.DecodeRuneInString(low[at+len(phrase):])
	return !wordRune(before) && !wordRune(after)
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// Empty says that a text has no word of content: function words and nudges
// alone, one letter of each mistyped.
func (l *Lexicon) Empty(text string) bool {
	for _, word := range Tokens(text) {
		if !l.hollow(word) {
			return false
		}
	}
	return true
}

func (l *Lexicon) hollow(word string) bool {
	if utf8.RuneCountInString(word) == 1 && !unspaced(word) {
		return true
	}
	if l == nil {
		return false
	}
	if l.Has(Function, word) || l.Has(Nudge, word) || l.Has(Yes, word) {
		return true
	}
	if unspaced(word) {
		for _, piece := range l.pieces {
			word = strings.ReplaceAll(word, piece, "")
		}
		return word == ""
	}
	n := utf8.RuneCountInString(word)
	if n < typed {
		return false
	}
	for _, known := range l.lengths[min(n-1, len(l.lengths)):min(n+2, len(l.lengths))] {
		if slices.ContainsFunc(known, func(k string) bool { return NearlySame(word, k) }) {
			return true
		}
	}
	return false
}

// Content are the words that say something, in order: no function words, and
// of scripts without spaces the pairs of letters.
func (l *Lexicon) Content(text string) []string {
	var out []string
	for _, word := range Tokens(text) {
		switch {
		case unspaced(word):
			out = append(out, pairs(word)...)
		case utf8.RuneCountInString(word) < Shortest(word) || l.Has(Function, word):
		default:
			out = append(out, word)
		}
	}
	return out
}

// Shortest is how many characters a word of content has at least: a syllable of Hangul is
// one character, and a letter with a number ("q7") is a name.
func Shortest(word string) int {
	if first, _ := utf8.DecodeRuneInString(word); unicode.Is(unicode.Hangul, first) || Numbered(word) {
		return 2
	}
	return 3
}

// Numbered says that a word is letters with a number behind: "q7", "p0", "phase2".
func Numbered(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	return unicode.IsLetter(first) && unicode.IsDigit(last)
}

// Weight is how many words of content a text has. Of scripts without spaces two
// pairs of letters count as one word.
func (l *Lexicon) Weight(text string) int { return WeightOf(l.Content(text)) }

// WeightOf is how many words a list of words of content makes: see Weight.
func WeightOf(content []string) int {
	spaced, paired := 0, 0
	for _, word := range content {
		if unspaced(word) {
			paired++
		} else {
			spaced++
		}
	}
	return spaced + max(paired/2, min(paired, 1))
}
