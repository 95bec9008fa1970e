package statements

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// instructions are the rules of the command or skill that the current work follows: a
// slash command and a skill put a document into the session, and what it demands in bold
// at the start of an entry, or at the start of a sentence, binds until another topic begins.
type instructions struct{ rules []distiller.Statement }

const (
	longInstructions = 400 // bytes of a machine's text that may be a document
	headingWithin    = 6   // lines in which it has its first heading
	shownOrders      = 3
)

var (
	documentHeading = lazyregexp.New(`^#{1,3} \S`)
	emphatic        = lazyregexp.New(`^\s*\*\*([A-Z]{4,}:\s[^*]{12,})\*\*`) // "**IMPORTANT: …**"
	boldLead        = lazyregexp.New(`^\s*(?:[-*]|\d+\.)\s+\*\*([^*]{12,})\*\*`)
)

// read takes the rules of a document that a command or a skill put into the session.
func (in *instructions) read(e *timeline.Event) {
	if len(e.Text) < longInstructions || !isDocument(e.Text) {
		return
	}
	text := prose.WithoutFences(e.Text)
	var bold, plain []string // rules
	for line := range strings.Lines(text) {
		if m := boldLead.FindStringSubmatch(line); m != nil && e.Lexicon.In(words.Demand, m[1]) {
			bold = append(bold, prose.Plain(m[1]))
		} else if m := emphatic.FindStringSubmatch(line); m != nil {
			bold = append(bold, prose.Plain(m[1]))
		}
	}
	for _, s := range prose.Statements(text) {
		if len(s.Text) > 20 && len(s.Text) < 300 && e.Lexicon.Begins(words.Lasting, s.Text) {
			plain = append(plain, s.Text)
		}
	}
	in.rules = nil
	for _, rule := range append(bold, plain...) {
		if len(in.rules) == shownOrders {
			break
		}
		in.rules = append(in.rules, distiller.Statement{Text: distiller.CommandRules + `"` + prose.Clip(rule, shownRule) + `"`, Source: e.Source})
	}
}

// isDocument says that a text begins with a heading, or soon has one.
func isDocument(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		if documentHeading.MatchString(line) {
			return true
		}
		if n++; n == headingWithin {
			break
		}
	}
	return false
}
