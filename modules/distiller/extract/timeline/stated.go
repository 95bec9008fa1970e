package timeline

import (
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// statedNext is what a reply says comes next: a sentence labelled so, or the
// first entry under such a heading.
func statedNext(e *Event) (Quote, bool) {
	for i := len(e.Said) - 1; i >= 0; i-- {
		s := e.Said[i]
		if m := nextLabel.FindStringSubmatch(s.Text); m != nil && e.Lexicon.Begins(words.Next, m[1]) && !prose.IsQuestion(m[2]) {
			return Quote{Text: prose.Clip(m[2], MaxNext), Source: e.Source, Seq: e.Seq}, true
		}
	}
	for _, s := range e.Said {
		open := s.State == "todo" || s.Bullet && s.State == "" && e.Lexicon.Heads(words.Next, s.Heading)
		if open && !prose.IsQuestion(s.Text) && utf8.RuneCountInString(s.Text) > 8 {
			return Quote{Text: prose.Clip(s.Text, MaxNext), Source: e.Source, Seq: e.Seq}, true
		}
	}
	return Quote{}, false
}

// nextLabel begins a sentence that says what comes next: "Next: …", "Remaining:
// …". The word is looked up, the colon is not enough.
var nextLabel = lazyregexp.New(`^([\p{L}' ]{3,30}?)\s*[:：]\s*(.+)$`)

// MaxNext is how long the line may be, in runes.
const MaxNext = 230
