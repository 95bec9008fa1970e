package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/attempts"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/statements"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The next action is the first of these that nothing has overtaken:
//
//   - what waits for the person: the question the agent ended with;
//   - a request the agent has not begun on, or what the person agreed to;
//   - what the person took back, or said when turning the newest call down, or chose of what an asking
//     tool offered just now;
//   - what the agent said it would do next, in the middle of a turn or at its
//     end ("Next: …"), unless work has been done since;
//   - a step of a list that belongs to the current request;
//   - a check of this request that fails;
//   - what is left of the request: its result is not seen, nothing is
//     committed.
//
// Tool output never stands here.

// nextFact chooses the next action. f holds the facts chosen before it.
func (s *State) nextFact(f *distiller.Facts) *distiller.Statement {
	now := s.requests.Now()
	if now == nil {
		return s.nextOfPrior()
	}
	choice := nextAction{session: s, now: now, facts: f}
	for _, rule := range []func() *distiller.Statement{choice.answer, choice.request, choice.refused, choice.chosen, choice.intent, choice.stated, choice.step, choice.check, choice.awaited, choice.advised, choice.turnedDown, choice.left} {
		if next := rule(); next != nil {
			next.Text = prose.Clip(prose.Imperative(proved(choice, next.Text)), timeline.MaxNext)
			if then := choice.following(next.Text); then != "" {
				next.Text = strings.TrimRight(next.Text, ".:; ") + then
			}
			return next
		}
	}
	return nil
}

func (s *State) nextOfPrior() *distiller.Statement {
	if s.prior.Next == nil {
		return nil
	}
	next := *s.prior.Next
	return &next
}

// nextAction chooses among the things a session could go on with.
type nextAction struct {
	session *State
	now     *timeline.Request
	facts   *distiller.Facts // those chosen before it
}

// answer is the question that waits for the person, and what the agent said
// comes after it.
func (n nextAction) answer() *distiller.Statement {
	if n.facts.Turn == nil || n.facts.Turn.Asked == nil {
		return nil
	}
	a := n.facts.Turn.Asked
	text := "the user's answer is needed: " + a.Question
	if room := timeline.MaxNext - utf8.RuneCountInString(text) - 8; n.now.Stated.Text != "" && n.now.Stated.Seq == n.now.Waits.Seq && room > 30 && !prose.Repeats(n.now.Stated.Text, a.Question) {
		text += " Then: " + prose.Clip(n.now.Stated.Text, room)
	}
	return &distiller.Statement{Text: text, Source: a.Source}
}

// request is a request that was not begun, or what was agreed to.
func (n nextAction) request() *distiller.Statement {
	if n.now.Spoke || n.now.Calls > 0 && n.now.LastCall > n.session.requests.PromptAt {
		return nil
	}
	if agreed := n.agreedTo("do"); agreed != nil {
		return agreed
	}
	if n.now.Calls > 0 || len(n.now.Moved) > 0 {
		return nil
	}
	if n.now.Words == "" {
		return &distiller.Statement{Text: "find out what the pasted output shows: " + prose.Clip(n.now.Pasted, 180), Source: n.now.Source}
	}
	text := "start on the request: " + prose.Clip(n.now.Words, 200)
	if left := len(n.session.requests.Unanswered); left > 0 && n.now.Thin {
		text = "start on the request: " + prose.Clip(n.now.Words, 80) + "; the agent's offer stands: " + prose.Clip(statements.AskedText(n.session.requests.Unanswered[left-1]), 130)
	}
	return &distiller.Statement{Text: text, Source: n.now.Source}
}

// refused is what the person said when turning the newest call down, or that they took back what
// was done.
func (n nextAction) refused() *distiller.Statement {
	r := n.now.Refused
	switch {
	case n.now.Undone(n.session.requests.LastEdit):
		return &distiller.Statement{Text: "ask what should be different, the user took the last change back: " + prose.Clip(taskText(n.facts, n.now), 150), Source: n.now.Source}
	case timeline.Declined(&n.session.requests) != nil:
		a := timeline.Declined(&n.session.requests)
		return &distiller.Statement{Text: "ask what the user wants instead, and not the same again: they turned down " + prose.Clip(`"`+a.Text, 150) + `"`, Source: a.Source}
	case r == nil || n.now.Spoke:
		return nil
	case r.Said == "":
		return &distiller.Statement{Text: "ask how to go on: " + refusedText(r), Source: r.Source}
	}
	return &distiller.Statement{Text: `do as the user said: "` + prose.Clip(r.Said, 200) + `"`, Source: r.Source}
}

// awaited is what the person is to give before the agent can go on.
func (n nextAction) awaited() *distiller.Statement {
	what := awaited(n.session, n.now)
	if what == "" {
		return nil
	}
	return &distiller.Statement{Text: "the user is to do what the agent asked for: " + what + " The request: " + prose.Clip(taskText(n.facts, n.now), 120), Source: n.now.Source}
}

// turnedDown is the newest call, where the person turned it down and the agent only replied.
func (n nextAction) turnedDown() *distiller.Statement {
	r := n.now.Refused
	if r == nil || n.session.midway(n.now) {
		return nil
	}
	text := "ask how to go on: " + refusedText(r)
	if changed := n.session.files.Uncommitted(n.session.git.LastCommit()); len(changed) > 0 {
		text += "; " + unsaved(&n.session.git) + ": " + shortList(changed)
	}
	return &distiller.Statement{Text: text, Source: r.Source}
}

// chosen is what the person chose when an asking tool put a question, where the agent has
// said nothing since, and either done nothing or nothing but what it said before would
// tell where it is.
func (n nextAction) chosen() *distiller.Statement {
	c := n.now.Chosen
	if c.Seq <= max(n.now.ReplyAt, n.session.requests.PromptAt) {
		return nil
	}
	if c.Seq <= n.now.LastCall && (!n.session.midway(n.now) || n.at() != nil || n.now.Intent.Text == "" || n.failedSince(c.Seq) != nil) {
		return nil
	}
	return &distiller.Statement{Text: "go on with what the user chose: " + c.Text, Source: c.Source}
}

// agreedTo is what the newest prompt said yes to, nil for nothing.
func (n nextAction) agreedTo(verb string) *distiller.Statement {
	a := n.session.requests.Agreed
	if a == nil || len(n.session.requests.AgreedTo) == 0 && len(n.now.Moved) == 0 && n.session.lex.Weight(n.now.Words) >= timeline.LongRequest {
		return nil
	}
	what := a.Text
	if len(n.session.requests.AgreedTo) > 0 {
		what = n.session.requests.AgreedTo[0].Text
	} else if a.Context != "" {
		what = prose.Clip(a.Context, 110) + " " + prose.Clip(a.Text, 80)
	}
	return &distiller.Statement{Text: verb + " what the user agreed to: " + prose.Clip(what, 190), Source: a.Source}
}

// intent is what the agent was about to do in the middle of a turn: what it
// announced before its last calls, else what it said last.
func (n nextAction) intent() *distiller.Statement {
	if !n.session.midway(n.now) {
		return nil
	}
	step := n.at()
	if n.now.Intent.Text == "" || n.now.Intent.Seq <= n.session.requests.PromptAt && !n.now.Resumed {
		return n.unsaid(step)
	}
	if n.now.Pleasantry && step == nil {
		return nil
	}
	if then := thenStep(n.now.Intent.Text, n.session.lex); n.committed() && then != "" && !n.delivered(then, 1) {
		return &distiller.Statement{Text: "go on with what the agent announced: " + then, Source: n.now.Intent.Source}
	}
	if then := n.workedOff(); then != nil {
		return then
	}
	if n.announcedIsDone() {
		if failed := n.failedSince(n.now.Intent.Seq); failed != nil && step != nil {
			return &distiller.Statement{Text: failed.Text + "; then " + step.Text, Source: failed.Source}
		}
		return step
	}
	text := "go on with what the agent announced: " + n.now.Intent.Text
	switch {
	case n.now.Announced && (n.session.requests.LastWork > n.now.Intent.Seq || n.session.seq-n.now.Intent.Seq > manyEvents):
		text = "go on; the agent announced, and has worked since: " + n.now.Intent.Text
	case n.now.Announced && n.now.LastCall > n.now.Intent.Seq && n.session.open.Waiting() == nil:
		text = "go on; the agent announced, and has begun: " + n.now.Intent.Text
	case !n.now.Announced:
		text = "go on; the agent said last: " + n.now.Intent.Text
	}
	if n.now.Because != "" {
		text += " — " + n.now.Because
	}
	if step != nil && n.now.Intent.Seq > n.session.progress.seq {
		step = n.stepOf(n.now.Intent.Text, step)
	}
	if n.now.Announced && n.now.Intent.Seq > n.session.progress.seq && (n.session.requests.LastWork > n.session.progress.seq || n.now.Intent.Seq-n.session.progress.seq > severalEvents) {
		step = nil // the list was left behind
	}
	if step != nil && n.now.Announced && n.session.requests.LastWork > n.now.Intent.Seq {
		return step // the list says where the agent is; what it announced is behind it
	}
	if step != nil && !prose.Repeats(step.Text, n.now.Intent.Text) {
		if n.now.Announced && n.now.Intent.Seq > max(n.session.progress.seq, n.now.LastCall) { // nothing came between
			return &distiller.Statement{Text: prose.Clip(text, maxAnnounced) + "; then, by its list: " + prose.Clip(step.Text, 80), Source: n.now.Intent.Source}
		}
		return &distiller.Statement{Text: prose.Clip(step.Text, 110) + "; " + text, Source: step.Source}
	}
	return &distiller.Statement{Text: text, Source: n.now.Intent.Source}
}

// maxAnnounced is how much is shown of what was announced, before the step of the list behind it, in runes.
const maxAnnounced = 130

// severalEvents are so many that a step of a list may be done before the next one is
// announced: five calls and their results.
const severalEvents = 10

// manyEvents are so many that what was announced before them is begun, though nothing
// was changed: ten calls and their results.
const manyEvents = 20

// committed says that all work is committed, or pushed, since the agent announced
// something.
func (n nextAction) committed() bool {
	r := &n.session.requests
	last := max(r.LastCommit, r.LastPush)
	return last > n.now.Intent.Seq && last >= r.LastEdit
}

// announcedIsDone says that a commit or a check proves what was announced, that it was a
// check and its result is there, or that the agent's own list says all is done.
func (n nextAction) announcedIsDone() bool {
	r := &n.session.requests
	if n.now.Intent.Text == "" {
		listed := n.session.progress.seq > n.now.Seq // without a list a check that passes may be the first of many
		return len(n.now.Commits) > 0 && r.LastCommit >= r.LastEdit || listed && n.now.Proved > 0 && n.now.Proved >= r.LastWork
	}
	if p := &n.session.progress; p.finished(n.now.Intent.Seq) && p.seq > r.LastWork {
		return true
	}
	return n.committed() || n.now.Proved > n.now.Intent.Seq && n.now.Proved >= r.LastWork || n.now.ChecksOnly(r.LastEdit)
}

// thenStep is the later of two steps that a sentence announces ("I'll commit it,
// then push"), "" where it names one.
func thenStep(text string, lex *words.Lexicon) string {
	for i, part := range strings.Split(text, ", ") {
		part = strings.TrimPrefix(part, "and ")
		if i > 0 && lex.Begins(words.Then, part) {
			_, after, _ := strings.Cut(text, part)
			return strings.TrimSpace(part + after)
		}
	}
	return ""
}

// announces says that a reply ended by saying what the agent does next, so
// that it is no closing reply.
func (s *State) announces(now *timeline.Request) bool {
	return now.Announced && now.Ended != transcript.TurnInterrupted
}

// stated is what a closing reply said comes next. It outlives turns in
// which nothing was done.
func (n nextAction) stated() *distiller.Statement {
	chain := n.session.requests.Chain()
	for i := len(chain) - 1; i >= 0; i-- {
		r := chain[i]
		if r.Stated.Text != "" && max(n.session.requests.LastWork, n.session.requests.LastAct) <= r.Stated.Seq {
			text := r.Stated.Text
			if yes := consent(n.now, n.session.lex); yes.Seq > r.Stated.Seq { // what it waits for has come
				text = `the user said "` + prose.Clip(yes.Text, 40) + `"; go on: ` + text
			}
			return &distiller.Statement{Text: text, Source: r.Stated.Source}
		}
		if len(r.Changed)+len(r.Commits) > 0 || !r.Thin && !r.Asks && (r.ReplyAt > 0 || r.Calls > 0) {
			return nil // something else was asked for since, and begun, done or answered
		}
	}
	return nil
}

// consent is the newest nudge to the request, where it agrees to something.
func consent(now *timeline.Request, lex *words.Lexicon) timeline.Quote {
	if last := len(now.Moved) - 1; last >= 0 && dialogue.IsConsent(now.Moved[last].Text, lex) {
		return now.Moved[last]
	}
	return timeline.Quote{}
}

// check is a check that failed while this request was worked on, or what it
// corrects. Where nothing was changed, as in a review, nobody asked to make it
// pass, nor where the environment is the reason; what was committed in spite of it
// has gone on without it.
func (n nextAction) check() *distiller.Statement { return n.failedSince(0) }

// failedSince is check for those that failed after an event.
func (n nextAction) failedSince(seq int) *distiller.Statement {
	first := n.now
	if n.now.Thin || n.now.Relation == timeline.Corrects || n.now.Relation == timeline.Answers {
		first = n.session.requests.Head()
	}
	if !n.session.requests.ChangedSince(first) {
		return nil
	}
	for _, fl := range n.session.failing() {
		if n.begunSince(fl.Seq) {
			continue
		}
		if n.toMend(fl) && fl.Seq >= max(seq, first.Seq, n.session.requests.LastCommit) {
			return &distiller.Statement{Text: "make this pass: " + strings.ReplaceAll(fl.What, "`", "'"), Source: fl.Source}
		}
	}
	return nil
}

// fails says that a check failed when it was run last, whatever others did since.
func (n nextAction) fails() bool {
	return slices.ContainsFunc(n.session.failing(), n.toMend)
}

// toMend says that a failure asks for a change, and not only in files left untouched.
func (n nextAction) toMend(fl *attempts.Failure) bool {
	return fl.ToMend() && !fl.Elsewhere(n.session.changed)
}

// begunSince says that the newest request was made, and begun, after that event, and
// corrects nothing: the agent reported in between.
func (n nextAction) begunSince(seq int) bool {
	return seq < n.now.Seq && n.now.Calls > 0 && n.now.Relation != timeline.Corrects
}

// taskText is what is being worked on: the newest request, and what it is about
// where it says little by itself.
func taskText(f *distiller.Facts, now *timeline.Request) string {
	switch {
	case f.Task == nil:
		return now.Words
	case f.Task.Now != "":
		return prose.Clip(f.Task.Now, 90) + " (" + prose.Clip(f.Task.Text, 90) + ")"
	}
	return f.Task.Text
}
