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
	"github.com/carryover-go/carryover/modules/distiller/shell"
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
	doubts          []doubt // of the topic, newest last
	worked, replied int     // events with which something was changed or committed, and said, last
	texts           []distiller.Statement
}

// doubt is what the agent is not sure of, or cannot do yet.
type doubt struct {
	distiller.Statement
	families []string // of the commands it names
	held     bool     // it waits for somebody
	listed   bool     // it stands under a heading that asks
	entry    bool     // it stands in a list, or with a word in bold
	passing  bool     // it tells how things are, which the agent may be about to change
	about    map[string]bool
	request  int
	since    int // event from which on what is done may answer it
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
	case e.Kind == transcript.Prompt && timeline.OwnWords(e.Located):
		q.spokenTo(e)
	case e.Kind == transcript.Result && e.ToolCall != nil && len(q.doubts) > 0:
		ran := timeline.Passed(e) && e.ToolCall.Family != ""
		changed := timeline.Happened(e) && len(timeline.ChangedBy(e)) > 0
		if changed || timeline.Happened(e) && e.ToolCall.Commits() {
			q.worked = e.Seq
		}
		q.doubts = slices.DeleteFunc(slices.Clone(q.doubts), func(d doubt) bool {
			proved := e.Verdict.Check != "" && timeline.Passed(e)
			return ran && d.ranSince(e) || d.passing && (changed && d.request == e.RequestSeq || proved) || proved && d.onTheWay(e)
		})
	case e.Kind == transcript.Decided && e.Decision != nil && e.Decision.Question != "":
		q.texts = slices.DeleteFunc(slices.Clone(q.texts), func(s distiller.Statement) bool {
			return strings.HasPrefix(s.Text, prose.Clip(prose.OneLine(e.Decision.Question), dialogue.MaxQuestion))
		})
	}
}

// spokenTo drops what the person has spoken to: what waited for word, once there
// is word, and what was asked in a list that the prompt goes through; and what the agent was not
// sure of on its way, once it went on and the person with it.
func (q *Questions) spokenTo(e *timeline.Event) {
	word := e.Answers != nil || dialogue.IsConsent(e.Wording.Words, e.Lexicon)
	q.doubts = slices.DeleteFunc(slices.Clone(q.doubts), func(d doubt) bool {
		return d.held && word || d.listed && e.Listed != nil || !d.held && !d.entry && d.since < q.worked
	})
	for i, d := range q.doubts {
		if d.since == q.replied { // it stands in a closing reply: what it changed itself does not answer it
			q.doubts[i].since = e.Seq
		}
	}
}

func (q *Questions) reply(e *timeline.Event) {
	q.replied = e.Seq
	var out []doubt
	for i, s := range e.Said {
		if i == len(e.Said)-1 && timeline.LeadsOn(e, s.Text) {
			continue
		}
		listed := s.Bullet && e.Lexicon.Heads(words.Open, s.Heading)
		own := slices.ContainsFunc(strings.FieldsFunc(s.Text, isStop), e.Lexicon.Announces) // it waits for its own command
		plain := codeSpan.ReplaceAllString(s.Text, "")                                      // the name of a state is no state
		held := !own && e.Lexicon.In(words.Held, plain)
		doubtful := listed || held || s.State == "blocked" || e.Lexicon.In(words.Doubt, s.Text) || !own && dialogue.NamedIn(s.Text) > 0 && e.Lexicon.In(words.Blocked, plain)
		if doubtful && dialogue.IsProse(s.Text) && !e.Lexicon.Announces(s.Text) && s.State != "done" && !prose.IsQuestion(s.Text) && utf8.RuneCountInString(s.Text) > 15 {
			d := newDoubt(e, s.Text)
			d.listed, d.held, d.entry = listed, held, s.Bullet || s.Strong
			d.passing = !listed && !held && !e.Lexicon.In(words.Doubt, s.Text)
			out = append(out, d)
		} else if len(q.doubts) > 0 {
			about := dialogue.WordsOf(s.Text, e.Lexicon)
			q.doubts = slices.DeleteFunc(slices.Clone(q.doubts), func(d doubt) bool { return e.RequestSeq != d.request && d.clearedBy(about) })
		}
	}
	q.doubts = bounded.Limit(append(slices.Clone(q.doubts), out...), maxDoubts)
}

// isStop says that a rune parts the clauses of a sentence.
func isStop(r rune) bool { return r == ',' || r == ';' || r == '，' || r == '；' || r == '、' }

func newDoubt(e *timeline.Event, text string) doubt {
	d := doubt{Statement: distiller.Statement{Text: prose.Clip(text, 220), Source: e.Source}, about: dialogue.WordsOf(text, e.Lexicon), request: e.RequestSeq, since: e.Seq}
	for _, span := range codeSpan.FindAllString(text, -1) {
		for _, cmd := range shell.Commands(strings.Trim(span, "`")) {
			if family := shell.Family(cmd.Argv); strings.Contains(family, " ") { // a lone word may be any name
				d.families = append(d.families, family)
			}
		}
	}
	return d
}

// ranSince says that a command which the doubt names, as one that fails or is
// still to be run, has worked.
func (d doubt) ranSince(e *timeline.Event) bool {
	return slices.ContainsFunc(e.ToolCall.Commands, func(cmd shell.Command) bool { return slices.Contains(d.families, shell.Family(cmd.Argv)) })
}

// onTheWay says that something held the agent up in the middle of the request that an event
// belongs to: a check which passes after that has got past it.
func (d doubt) onTheWay(e *timeline.Event) bool {
	return d.held && !d.listed && !d.entry && d.request == e.RequestSeq
}

// clearedBy says that a sentence with these words, in the reply to a later request,
// states something of the same things: the agent has looked.
func (d doubt) clearedBy(about map[string]bool) bool {
	n := dialogue.Overlap(about, d.about)
	return n >= 3 && n*3 >= min(len(about), len(d.about))
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
		if a != requests.Asked && !passedOver(requests, a.Seq) {
			out = append(out, distiller.Statement{Text: AskedText(a) + notAnswered, Source: a.Source})
		}
	}
	out = append(out, found...)
	for _, doubt := range slices.Backward(q.doubts) {
		out = append(out, doubt.Statement)
	}
	waiting := ""
	if a := requests.Asked; a != nil {
		waiting = sameQuestion(a.Text)
	}
	return distinct(append(out, q.texts...), waiting)
}

// passedOver says that a question put at an event is outdated, as the person never spoke to it: something was
// changed or committed for several requests since, or they have long asked for other things.
func passedOver(requests *timeline.Timeline, seq int) bool {
	worked, asked := 0, 0
	for _, r := range requests.Chain() {
		if r.Seq < seq {
			continue
		}
		asked++
		if len(r.Changed)+len(r.Commits) > 0 {
			worked++
		}
	}
	return worked >= workedPast || asked >= askedPast
}

// After so many requests a question is outdated: such with work of their own, and any.
const (
	workedPast = 2
	askedPast  = 12
)

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
	if room := maxAsked - utf8.RuneCountInString(text) - 1; a.Context != "" && room > leastContext { // the question itself is not cut for it
		text = prose.Clip(a.Context, room) + " " + text
	}
	var options []string
	if !a.StandsAlone() {
		for _, o := range a.Options {
			options = append(options, o.Label+") "+prose.Clip(o.Text, 40))
		}
	}
	if len(options) > 0 {
		text += " — " + strings.Join(options, "; ")
	}
	return prose.Clip(text, maxAsked)
}

// A question with what it is about is so long at most, and what it is about says something
// from so many characters on.
const (
	maxAsked     = 220
	leastContext = 20
)
