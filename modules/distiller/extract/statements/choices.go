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

// said reads a reply for choices: a sentence that sets what it advises, or a thing
// of the work by its name, against another and gives the reason, which counts once a change
// went with it; or one that sets what its writer is about to do against something else,
// which counts if the very next call changes something. What the person asked for is no
// choice of the agent.
func (d *Decisions) said(e *timeline.Event) {
	d.resolveAtOnce(false)
	after := d.worked > e.RequestSeq && e.RequestSeq > 0
	for _, s := range e.Said {
		n := utf8.RuneCountInString(s.Text)
		if n < 30 || n > maxDecisionIn || prose.IsQuestion(s.Text) || s.State == "todo" {
			continue
		}
		taken, left, contrast := e.Lexicon.Split(words.Contrast, s.Text)
		if !contrast || e.Lexicon.In(words.Offer, s.Text) || e.Lexicon.In(words.Cause, s.Text) || e.Lexicon.In(words.Doubt, s.Text) || e.Lexicon.Begins(words.Next, s.Heading) {
			continue
		}
		if strings.TrimSpace(taken) == "" {
			taken = left // "Instead of a loop …"
		}
		named := dialogue.WordsOf(s.Text, e.Lexicon)
		argued := e.Lexicon.In(words.Reason, s.Text) && (dialogue.NamedIn(taken) > 0 || e.Lexicon.In(words.Recommend, taken))
		if !argued && (!e.Lexicon.Announces(s.Text) || len(named) < saysMuch || d.wanted(named, taken, e.Lexicon)) {
			continue
		}
		d.prose = bounded.Limit(append(d.prose, decision{
			topic: e.Topic, seq: e.Seq, request: e.RequestSeq, acted: after && argued, atOnce: !argued, named: named,
			Decision: distiller.Decision{Chosen: []string{asChosen(s.Text, !argued, e.Lexicon)}, Kind: "prose", Source: e.Source},
		}), maxProse)
	}
}

// asChosen is a choice as it stands in the list: without the words that announce it, for by
// then it is done; what stands before these gives the reason.
func asChosen(text string, announced bool, lex *words.Lexicon) string {
	text = strings.TrimSuffix(text, ":")
	if !announced {
		return text
	}
	before, what, found := lex.Split(words.Intent, text)
	if !found {
		before, what, found = lex.Split(words.Doing, text)
	}
	if what = strings.TrimSpace(what); !found || what == "" {
		return text
	}
	if before = strings.Trim(before, " ,;:—–-"); lex.Weight(before) > 1 {
		what = strings.TrimRight(what, ". ") + " (" + before + ")"
	}
	return distiller.Chose + what
}

// wanted says that what is set against something else is what the person asked for: most
// words of the sentence are the request's, or those right before the contrast.
func (d *Decisions) wanted(named map[string]bool, taken string, lex *words.Lexicon) bool {
	content := lex.Content(taken)
	last := dialogue.WordsOf(strings.Join(content[max(0, len(content)-2):], " "), lex)
	return dialogue.Overlap(named, d.asked)*2 >= len(named) || len(last) > 0 && dialogue.Overlap(last, d.asked) == len(last)
}

// resolveAtOnce says whether the first call behind a reply changed something: what the reply set
// against something else is chosen then, and only said if it did not.
func (d *Decisions) resolveAtOnce(changed bool) {
	if !slices.ContainsFunc(d.prose, func(p decision) bool { return p.atOnce }) {
		return
	}
	d.prose = slices.DeleteFunc(slices.Clone(d.prose), func(p decision) bool { return p.atOnce && !changed })
	for i, p := range d.prose {
		d.prose[i].acted, d.prose[i].atOnce = p.acted || p.atOnce, false
	}
}

// act notes that something was changed, which the choices of this request led
// to.
func (d *Decisions) act(e *timeline.Event) {
	if e.ToolCall == nil || e.ToolCall.Subagent {
		return
	}
	happened := timeline.Happened(e)
	changed := happened && len(timeline.ChangedBy(e)) > 0
	if m := e.ToolCall.Info.Meaning; m != transcript.Read && (happened || !timeline.Edits(m) || e.Result.Outcome == transcript.Rejected) {
		d.resolveAtOnce(changed && timeline.Edits(m)) // a file is read before it is edited, and an edit that does not apply is tried again
	}
	if !happened {
		return
	}
	ranAfterAll := func(k decision) bool {
		return k.turned != "" && (k.turned == e.What() || slices.ContainsFunc(e.ToolCall.Commands, func(cmd shell.Command) bool { return shell.Key(cmd.Text) == k.turned }))
	}
	if slices.ContainsFunc(d.made, ranAfterAll) {
		d.made = slices.DeleteFunc(slices.Clone(d.made), ranAfterAll)
	}
	if changed || timeline.Leaves(e) {
		d.left = e.Seq
		for i, k := range d.made {
			d.made[i].acted = k.acted || k.request == e.RequestSeq
		}
	}
	if !changed {
		return
	}
	d.worked = e.Seq
	for i := range d.prose {
		d.prose[i].acted = d.prose[i].acted || d.prose[i].request == e.RequestSeq
	}
}

// chosen are the agent's own choices of the current topic.
func (d *Decisions) chosen() []distiller.Decision {
	var out []distiller.Decision
	for _, p := range slices.Backward(d.prose) {
		if p.acted && p.topic == d.topic && len(out) < shownProse {
			out = append(out, p.Decision)
		}
	}
	return out
}

// refuse drops what the agent chose and the person now turns down.
func (d *Decisions) refuse(e *timeline.Event) {
	about := dialogue.WordsOf(e.Wording.Words, e.Lexicon)
	d.prose = slices.DeleteFunc(slices.Clone(d.prose), func(p decision) bool {
		return dialogue.Overlap(about, p.named) >= 2
	})
}

// proposes notes how the agent would do what it was asked about. What a reply asks is
// another matter: see answer.
func (d *Decisions) proposes(e *timeline.Event) {
	d.offered = distiller.Statement{}
	if slices.ContainsFunc(e.Said, func(s prose.Statement) bool { return prose.IsQuestion(s.Text) }) {
		return
	}
	for _, s := range e.Said {
		n := utf8.RuneCountInString(s.Text)
		if n > 30 && n <= maxDecisionIn && e.Lexicon.In(words.Propose, s.Text) && e.Lexicon.Weight(s.Text) >= saysMuch && !e.Lexicon.In(words.Offer, s.Text) {
			d.offered = distiller.Statement{Text: strings.TrimSuffix(s.Text, ":"), Source: e.Source}
			return
		}
	}
}

// goAhead takes what the agent said it would do, where it had only looked so far and the
// person, asked nothing, bids it act in few words: "ok, make a pull request".
func (d *Decisions) goAhead(e *timeline.Event, before int) {
	offered := d.offered
	d.offered = distiller.Statement{}
	if offered.Text == "" || e.Wording.Slash || e.Answers != nil || e.Relation == timeline.Corrects || e.Relation == timeline.Begins || d.left > before || dialogue.Asks(e.Wording.Words, e.Lexicon) || e.Lexicon.Weight(e.Wording.Words) >= timeline.LongRequest {
		return
	}
	d.add(e, distiller.Decision{Chosen: []string{offered.Text}, Said: e.Wording.Words, Kind: "answer", Source: offered.Source}, true)
}
