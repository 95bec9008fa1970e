package statements

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Questions are those that nobody answered:
//
//   - the one that waits now, with its options;
//   - those of the same topic that the person passed over;
//   - what the agent says it is not sure of or what waits for somebody, and what
//     stands under a heading like "Open questions";
//   - what a review found and nothing has handled.
//
// A predecessor's stay while the topic goes on.
type Questions struct {
	doubts []distiller.Statement // of the topic, newest last
	texts  []distiller.Statement
}

const (
	maxQuestions = 8
	maxDoubts    = 5
)

// Carry takes over the open questions of the session that this one continues.
func (q *Questions) Carry(prior distiller.Facts) {
	q.texts = bounded.Limit(slices.Clone(prior.Questions), maxQuestions)
}

// Add takes one more event.
func (q *Questions) Add(e *timeline.Event) {
	if e.Subagent {
		return
	}
	switch {
	case e.Kind == transcript.Reply:
		q.reply(e)
	case e.Kind == transcript.Prompt && e.Relation == timeline.Begins:
		q.doubts, q.texts = nil, nil
	case e.Kind == transcript.Decided && e.Decision != nil && e.Decision.Question != "":
		q.texts = slices.DeleteFunc(slices.Clone(q.texts), func(s distiller.Statement) bool {
			return strings.HasPrefix(s.Text, prose.Clip(prose.OneLine(e.Decision.Question), 220))
		})
	}
}

func (q *Questions) reply(e *timeline.Event) {
	var out []distiller.Statement
	for _, s := range e.Said {
		doubtful := s.Bullet && e.Lexicon.Heads(words.Open, s.Heading) || e.Lexicon.In(words.Doubt, s.Text) || dialogue.NamedIn(s.Text) > 0 && e.Lexicon.In(words.Blocked, s.Text) || e.Lexicon.In(words.Held, s.Text)
		if doubtful && !e.Lexicon.Announces(s.Text) && s.State != "done" && !prose.IsQuestion(s.Text) && utf8.RuneCountInString(s.Text) > 15 {
			out = append(out, distiller.Statement{Text: prose.Clip(s.Text, 220), Source: e.Source})
		}
	}
	q.doubts = bounded.Limit(append(slices.Clone(q.doubts), out...), maxDoubts)
}

// Facts are the open questions, each once: those of the timeline, what reviews
// found, and doubts.
func (q *Questions) Facts(requests *timeline.Timeline, found []distiller.Statement) []distiller.Statement {
	var out []distiller.Statement
	if a := requests.Asked; a != nil && requests.Now() != nil {
		for _, text := range a.Also {
			out = append(out, distiller.Statement{Text: text, Source: a.Source})
		}
	}
	for _, a := range slices.Backward(requests.Unanswered) {
		if a != requests.Asked {
			out = append(out, distiller.Statement{Text: AskedText(a) + notAnswered, Source: a.Source})
		}
	}
	out = append(out, found...)
	for _, doubt := range slices.Backward(q.doubts) {
		out = append(out, doubt)
	}
	waiting := ""
	if a := requests.Asked; a != nil {
		waiting = sameQuestion(a.Text)
	}
	return distinct(append(out, q.texts...), waiting)
}

// distinct are the first questions of a list, each once and not the one that
// waits: what was asked again in a later session is carried along as well.
func distinct(list []distiller.Statement, waiting string) []distiller.Statement {
	seen := map[string]bool{waiting: waiting != ""}
	var out []distiller.Statement
	for _, s := range list {
		if key := sameQuestion(s.Text); !seen[key] && len(out) < maxQuestions {
			seen[key] = true
			out = append(out, s)
		}
	}
	return out
}

// notAnswered ends the line of a question that was passed over.
const notAnswered = " (asked, not answered)"

// sameQuestion is what two tellings of a question have in common.
func sameQuestion(text string) string {
	return strings.ToLower(strings.TrimLeft(strings.TrimSuffix(text, notAnswered), "-*• "))
}

// AskedText is a question on one line, with what it is about.
func AskedText(a *dialogue.Question) string {
	text := a.Text
	if a.Context != "" {
		text = a.Context + " " + text
	}
	var options []string
	for _, o := range a.Options {
		options = append(options, o.Label+") "+prose.Clip(o.Text, 40))
	}
	if len(options) > 0 {
		text += " — " + strings.Join(options, "; ")
	}
	return prose.Clip(text, 220)
}
