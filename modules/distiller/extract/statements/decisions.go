// Package statements keeps what person and agent said that still holds:
// decisions, constraints, open questions, findings, references, action items
// and recaps.
package statements

import (
	"maps"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Decisions are what was decided, in order of trust:
//
//   - what the transcript records as one: an answered question of an asking
//     tool, an approved or refused plan, a DECISION: block;
//   - what the person answered to a question of the agent, with the options it
//     points to; a bare yes, when the question had something in it;
//   - how the agent said it would do what was asked, when the person bids it act
//     and it does;
//   - corrections: a prompt that begins by saying no after the agent worked, a
//     call that was refused with a reason;
//   - a choice of the agent of one thing over another that a change went with: of a named
//     one with the reason, or of what it did with its next call; at most three, and none
//     that the person turned down.
//
// A later decision about the same question replaces the earlier one.
type Decisions struct {
	made    []decision
	prose   []decision
	plan    string // title of the last plan
	worked  int    // event of the newest change that went through
	topic   int
	now     int                 // event that began the current request
	asked   map[string]bool     // words of content of the current request
	left    int                 // event of the newest call that left something behind
	offered distiller.Statement // how the agent would do what was asked, until the person speaks
}

type decision struct {
	distiller.Decision
	topic   int
	seq     int
	request int             // event that began its request
	atOnce  bool            // it counts only if the next call changes something
	acted   bool            // a change followed; of an offer, anything that stays
	offer   bool            // the person took up what the agent offered to do, and said no more
	deliver bool            // it only says to commit, push or open something, which is over once it is done
	named   map[string]bool // words of content, to see what a later one replaces
	turned  string          // the call that was turned down without a word
}

const (
	maxMade       = 40
	maxProse      = 24
	shownProse    = 3
	maxDecisionIn = 260 // runes of a sentence that may be one
	shownPoint    = 160 // runes of one point of an answer
)

// Carry takes a predecessor's decisions over, the oldest first as they came.
func (d *Decisions) Carry(prior []distiller.Decision) {
	for _, p := range slices.Backward(prior) {
		d.made = append(d.made, decision{Decision: p})
	}
	d.made = bounded.Limit(d.made, maxMade)
}

// Add takes one more event.
func (d *Decisions) Add(e *timeline.Event) {
	before := d.now
	d.topic, d.now = e.Topic, e.RequestSeq
	switch e.Kind {
	case transcript.Plan:
		if !e.Subagent && e.Text != "" {
			d.plan = dialogue.PlanTitle(e.Text)
		}
	case transcript.Decided:
		d.recorded(e)
	case transcript.Prompt:
		d.resolveAtOnce(false)
		d.wants(e, before)
		if !e.Subagent && (timeline.OwnWords(e.Located) || e.Wording.Slash) && e.Wording.Words != "" {
			d.goAhead(e, before)
			d.prompt(e)
		}
	case transcript.Reply:
		if !e.Subagent {
			d.said(e)
			d.proposes(e)
		}
	case transcript.Result:
		d.rejected(e)
		d.act(e)
	}
}

// wants notes the words of the current request, with those of the prompts that went on with it.
func (d *Decisions) wants(e *timeline.Event, before int) {
	asked := dialogue.WordsOf(e.Wording.Words, e.Lexicon)
	if before == e.RequestSeq {
		maps.Copy(asked, d.asked)
	}
	d.asked = asked
}

// keep adds a decision and drops the earlier one it replaces.
func (d *Decisions) keep(e *timeline.Event, made distiller.Decision) { d.add(e, made, tookUp(e)) }

// add is keep; offer says that the person took up what the agent offered, and said no more.
func (d *Decisions) add(e *timeline.Event, made distiller.Decision, offer bool) {
	d.made = slices.DeleteFunc(slices.Clone(d.made), func(k decision) bool {
		return k.Kind == made.Kind && k.Question == made.Question && slices.Equal(k.Chosen, made.Chosen)
	})
	d.made = bounded.Limit(append(d.made, decision{Decision: made, topic: e.Topic, seq: e.Seq, request: e.RequestSeq, offer: offer, deliver: delivers(e)}), maxMade)
}

// recorded takes a decision of the transcript, completing an earlier record of
// the same question.
func (d *Decisions) recorded(e *timeline.Event) {
	if e.Decision == nil || e.Subagent && e.Decision.Kind != "block" {
		return
	}
	got := fromTranscript(e)
	if named := got.Topic != "" && !strings.HasSuffix(got.Topic, ".md"); got.Kind == "plan" && !named && got.Question == "" && d.plan != "" {
		got.Topic = d.plan // the plan's own title, rather than its file's name
	}
	if got.Question != "" {
		for i, known := range d.made {
			if strings.EqualFold(known.Question, got.Question) {
				got = merge(known.Decision, got)
				d.made = slices.Delete(slices.Clone(d.made), i, i+1)
				break
			}
		}
	}
	if len(got.Chosen) == 0 && got.Rationale == "" && got.Topic == "" {
		return
	}
	d.keep(e, got)
}

func fromTranscript(e *timeline.Event) distiller.Decision {
	t := e.Decision
	out := distiller.Decision{Topic: t.Topic, Question: prose.OneLine(t.Question), Chosen: slices.Clone(t.Chosen), Rationale: prose.OneLine(t.Rationale), Tradeoffs: prose.OneLine(t.Tradeoffs), Kind: t.Kind, Source: e.Source}
	for _, o := range t.Options {
		out.Options = append(out.Options, o.Label)
	}
	for _, r := range t.Rejected {
		out.Rejected = append(out.Rejected, distiller.Refused(r))
	}
	return out
}

// merge lets the later record win and keeps what only the earlier one says.
func merge(old, now distiller.Decision) distiller.Decision {
	if len(now.Options) == 0 {
		now.Options = old.Options
	}
	if len(now.Chosen) == 0 {
		now.Chosen = old.Chosen
	}
	if now.Rationale == "" {
		now.Rationale = old.Rationale
	}
	if now.Tradeoffs == "" {
		now.Tradeoffs = old.Tradeoffs
	}
	if len(now.Rejected) == 0 {
		now.Rejected = old.Rejected
	}
	return now
}

// prompt takes what the person decided by answering or correcting.
func (d *Decisions) prompt(e *timeline.Event) {
	if e.SentBack || e.Opens || len(e.Picked) == 0 && dialogue.AsksUnmarked(e.Wording.Words, e.Lexicon) {
		return
	}
	if finds := e.Lexicon.In(words.Cause, e.Wording.Words); !finds && (e.Relation == timeline.Corrects || e.Answers != nil && e.Lexicon.Begins(words.No, e.Wording.Words)) {
		d.refuse(e)
	}
	d.reverse(e)
	switch {
	case e.Answers != nil:
		d.answer(e)
	case e.Relation == timeline.Corrects, e.Relation == timeline.Continues && agrees(e):
		d.lay(e, e.Wording.Words)
	case e.Relation == timeline.Continues:
		d.steer(e)
	}
}

// lay keeps what the person lays down, in their words. What they found to be behind a
// fault is none of that.
func (d *Decisions) lay(e *timeline.Event, text string) {
	if e.Lexicon.In(words.Cause, text) && !e.Lexicon.In(words.Lasting, text) && !e.Lexicon.In(words.Contrast, text) {
		return
	}
	d.keep(e, distiller.Decision{Chosen: []string{prose.Clip(text, maxDecisionIn)}, Kind: "correction", Source: e.Source})
}

// agrees says that a prompt says yes to what the reply said, which asked nothing, in the
// reply's own words: most of those of the prompt.
func agrees(e *timeline.Event) bool {
	if !dialogue.IsConsent(e.Wording.Words, e.Lexicon) || prose.IsQuestion(e.Wording.Words) {
		return false
	}
	said := dialogue.WordsOf(e.Wording.Words, e.Lexicon)
	same := dialogue.Overlap(said, dialogue.WordsOf(e.Reply, e.Lexicon))
	return same >= saysMuch && same*2 >= len(said)
}

// steer takes what a person lays down in passing, in the middle of a topic: the
// answers to a numbered list, or a sentence that sets one thing against another
// or limits what is done.
func (d *Decisions) steer(e *timeline.Event) {
	if e.Listed != nil {
		d.pointByPoint(e, distiller.Decision{}, dialogue.Points(e.Text), e.Listed)
		return
	}
	if len(e.Text) > longPrompt || delivers(e) {
		return // a pasted document lays nothing down, and what is to be committed is a request
	}
	var said []string
	own := ownSentences(e.Wording.Words, e.Lexicon)
	for i, s := range own {
		if s = strings.TrimSpace(s); len(s) > 15 && !prose.IsQuestion(s) && (e.Lexicon.In(words.Contrast, s) || e.Lexicon.In(words.Affirms, s)) {
			if i > 0 && len(said) == 0 && e.Lexicon.Weight(s) < timeline.LongRequest && e.Lexicon.In(words.Pointer, s) {
				said = append(said, strings.TrimSpace(own[i-1])) // it points to the sentence before
			}
			said = append(said, s)
		}
	}
	if len(said) > 0 {
		d.lay(e, strings.Join(said, " "))
	}
}

// answer is what the person said to a question of the agent. Of a bare yes what
// was proposed is the decision; a question asked back is none.
func (d *Decisions) answer(e *timeline.Event) {
	a := e.Answers
	said := dialogue.Declared(e.Wording.Words)
	bare := dialogue.IsNudge(said, e.Lexicon) && len(e.Picked) == 0
	switch {
	case said == "", a.Trifle(e.Lexicon) && bare, bare && !dialogue.IsConsent(said, e.Lexicon), a.WantsNamed(said, e.Lexicon):
		return
	}
	made := distiller.Decision{Question: a.Text, Kind: "answer", Options: dialogue.Labelled(a.Options...), Source: e.Source}
	if a.StandsAlone() && a.Context != "" {
		made.Question = prose.Clip(a.Context, 160) + " " + a.Text
	}
	d.made = slices.DeleteFunc(slices.Clone(d.made), func(k decision) bool {
		return k.Kind == "answer" && (strings.EqualFold(k.Question, made.Question) || a.AsksAgain(k.Options, e.Lexicon))
	})
	switch list := dialogue.Points(e.Text); {
	case e.Listed != nil:
		d.pointByPoint(e, made, list, e.Listed)
		return
	case len(list) > 1 && !e.Lexicon.Begins(words.Yes, said):
		if len(a.Options) == 0 && !dialogue.IsPoints(e.Text) {
			return // a request of its own, with its steps
		}
		d.pointByPoint(e, made, list, a.Options)
		return
	case len(e.Picked) == 0 && a.IsChoice() && a.Advised() != nil && dialogue.IsThin(said, e.Lexicon) && dialogue.IsConsent(said, e.Lexicon):
		made.Chosen, made.Said = dialogue.Labelled(*a.Advised()), said
	case a.AnswersAll(said, e.Lexicon):
		for _, other := range a.Also {
			d.keep(e, distiller.Decision{Question: other, Kind: "answer", Chosen: []string{prose.Clip(said, 60)}, Source: e.Source})
		}
		made.Chosen = []string{prose.Clip(said, 60)}
	case bare:
		made.Chosen = []string{prose.Clip(said, 60)}
		if made.Rationale = prose.Clip(e.Proposed, maxDecisionIn); e.Lexicon.Weight(a.Text) >= tellsWhat || strings.Contains(made.Question, prose.Clip(strings.TrimSuffix(made.Rationale, "."), 60)) {
			made.Rationale = ""
		}
		made.Rationale = prose.Fallback(a.Plan(), made.Rationale)
	case len(e.Picked) > 0:
		made.Chosen = dialogue.Labelled(e.Picked...)
		if len(strings.Fields(e.Wording.Words)) > 3 || e.Lexicon.Weight(e.Wording.Words) > 2 {
			made.Said = prose.Clip(e.Wording.Words, maxDecisionIn)
		}
	default:
		made.Chosen = []string{prose.Clip(said, maxDecisionIn)}
	}
	d.keep(e, made)
}

// tellsWhat is how many words of content a question has at least that says itself what a yes to it
// is to.
const tellsWhat = 8

// saysMuch is how many words of content a remark has at least that lays something down.
const saysMuch = 3

// pointByPoint takes an answer that goes through what was asked one by one, and what
// is said behind that.
func (d *Decisions) pointByPoint(e *timeline.Event, asked distiller.Decision, list, of []distiller.Option) {
	if behind := dialogue.Declared(dialogue.BehindPoints(e.Text)); e.Lexicon.Weight(behind) >= saysMuch && len(e.Text) <= longPrompt {
		d.lay(e, behind)
	}
	for _, point := range slices.Backward(list) {
		point.Text = prose.Clip(dialogue.Declared(point.Text), shownPoint)
		if point.Text == "" || strings.HasSuffix(point.Text, ":") || dialogue.AsksUnmarked(point.Text, e.Lexicon) {
			continue // it asks back, or heads what was pasted
		}
		made := distiller.Decision{Question: asked.Question, Kind: "answer", Chosen: dialogue.Labelled(point), Source: e.Source}
		for _, o := range of {
			if o.Label == point.Label {
				made.Question = o.Label + ") " + o.Text
				made.Chosen = []string{point.Text}
			}
		}
		d.keep(e, made)
	}
}

// reverse drops the newest decision where it chose an option that an asking tool
// offered, and the person now names another one of these.
func (d *Decisions) reverse(e *timeline.Event) {
	last := len(d.made) - 1
	if last < 0 || d.made[last].Kind != transcript.DecisionAsked || prose.IsQuestion(e.Wording.Words) {
		return
	}
	if k := d.made[last]; len(k.Chosen) > 0 && dialogue.Prefers(e.Wording.Words, k.Options, k.Chosen, e.Lexicon) {
		d.made = slices.Clone(d.made[:last])
	}
}

// rejected takes a call the user turned down, with the words if any came.
func (d *Decisions) rejected(e *timeline.Event) {
	if e.Result == nil || e.Beside || e.Result.Outcome != transcript.Rejected || e.ToolCall == nil || e.ToolCall.Subagent {
		return
	}
	reason := dialogue.SaidRefusing(e.Result.Text)
	if e.ToolCall.Info.Meaning == transcript.Ask || dialogue.Declared(reason) == "" && (reason != "" || e.ToolCall.Info.Meaning != transcript.Shell) {
		return // a question left alone is an open question; an edit sent back without a word says nothing
	}
	if reason == "" && e.ToolCall.OnlyLooks() {
		return // a limit of what may be looked at: see attempts.Limits
	}
	if e.Lexicon.Announces(reason) {
		return // what they do themselves is theirs to do
	}
	text := "the user rejected " + prose.Clip(e.What(), 80)
	if reason != "" {
		text += `: "` + prose.Clip(reason, 180) + `"`
	}
	d.keep(e, distiller.Decision{Chosen: []string{text}, Kind: "correction", Source: e.ToolCall.Source})
	if reason == "" {
		d.made[len(d.made)-1].turned = e.What()
	}
}

// Facts lists what was decided, newest first: the current topic before others,
// the person's before the agent's.
func (d *Decisions) Facts() []distiller.Decision {
	var out []distiller.Decision
	for _, current := range []bool{true, false} {
		for _, k := range slices.Backward(d.made) {
			looked, delivered := k.offer && !k.acted && k.request < d.now, k.acted && k.request < d.now && k.deliver
			if !looked && !delivered && (k.topic == d.topic) == current {
				out = append(out, k.Decision)
			}
		}
		if current {
			out = append(out, d.chosen()...)
		}
	}
	return out
}
