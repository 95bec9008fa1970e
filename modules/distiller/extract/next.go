package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The next action is the first of these that nothing has overtaken:
//
//   - what waits for the person: the question the agent ended with;
//   - a request the agent has not begun on, or what the person agreed to;
//   - what the agent said it would do next, in the middle of a turn or at its
//     end ("Next: …"), unless work has been done since;
//   - a step of a list that belongs to the current request;
//   - a check of this request that fails;
//   - what is left of the request: its result is not seen, nothing is
//     committed.
//
// Tool output never stands here.

// nextLabel begins a sentence that says what comes next: "Next: …", "Remaining:
// …". The word is looked up, the colon is not enough.
var nextLabel = regexp.MustCompile(`^([\p{L}' ]{3,30}?)\s*[:：]\s*(.+)$`)

// statedNext is what a reply says comes next: a sentence labelled so, or the
// first entry under such a heading.
func statedNext(e *event) (ask, bool) {
	for i := len(e.said) - 1; i >= 0; i-- {
		s := e.said[i]
		if m := nextLabel.FindStringSubmatch(s.text); m != nil && e.lex.Begins(words.Next, m[1]) && !isQuestion(m[2]) {
			return ask{text: clip(m[2], maxNext), src: e.src, seq: e.seq}, true
		}
	}
	for _, s := range e.said {
		open := s.state == "todo" || s.bullet && s.state == "" && e.lex.Heads(words.Next, s.heading)
		if open && !isQuestion(s.text) && utf8.RuneCountInString(s.text) > 8 {
			return ask{text: clip(s.text, maxNext), src: e.src, seq: e.seq}, true
		}
	}
	return ask{}, false
}

// maxNext is how long the line may be, in runes.
const maxNext = 230

// nextFact chooses the next action. f holds the facts chosen before it.
func (s *State) nextFact(f *distiller.Facts) *distiller.Statement {
	now := s.requests.now()
	if now == nil {
		return s.nextOfPrior()
	}
	for _, rule := range []func(*request, *distiller.Facts) *distiller.Statement{s.nextAnswer, s.nextRequest, s.nextIntent, s.nextStated, s.nextStep, s.nextCheck, s.nextLeft} {
		if next := rule(now, f); next != nil {
			next.Text = clip(imperative(next.Text), maxNext)
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

// nextAnswer is the question that waits for the person, and what the agent said
// comes after it.
func (s *State) nextAnswer(now *request, f *distiller.Facts) *distiller.Statement {
	if f.Turn == nil || f.Turn.Asked == nil {
		return nil
	}
	a := f.Turn.Asked
	text := "the user's answer is needed: " + a.Question
	if room := maxNext - utf8.RuneCountInString(text) - 8; now.stated.text != "" && now.stated.seq == now.waits.seq && room > 30 && !sameRequest(now.stated.text, a.Question) {
		text += " Then: " + clip(now.stated.text, room)
	}
	return &distiller.Statement{Text: text, Source: a.Source}
}

// nextRequest is a request that was not begun, or what was agreed to.
func (s *State) nextRequest(now *request, _ *distiller.Facts) *distiller.Statement {
	if now.spoke || now.calls > 0 && now.lastCall > s.requests.promptAt {
		return nil
	}
	if agreed := s.agreedTo(now); agreed != nil {
		return agreed
	}
	if now.calls > 0 || len(now.moved) > 0 {
		return nil
	}
	if now.words == "" {
		return &distiller.Statement{Text: "find out what the pasted output shows: " + clip(now.pasted, 180), Source: now.src}
	}
	text := "start on the request: " + clip(now.words, 200)
	if n := len(s.requests.unanswered); n > 0 && now.thin {
		text = "start on the request: " + clip(now.words, 80) + "; the agent's offer stands: " + clip(askedText(s.requests.unanswered[n-1]), 130)
	}
	return &distiller.Statement{Text: text, Source: now.src}
}

// agreedTo is what the newest prompt said yes to, nil for nothing.
func (s *State) agreedTo(now *request) *distiller.Statement {
	a := s.requests.agreed
	if a == nil || len(s.requests.agreedTo) == 0 && len(now.moved) == 0 && s.lex.Weight(now.words) >= longRequest {
		return nil
	}
	what := a.question
	if len(s.requests.agreedTo) > 0 {
		what = s.requests.agreedTo[0].Text
	} else if a.context != "" {
		what = clip(a.context, 110) + " " + clip(a.question, 80)
	}
	return &distiller.Statement{Text: "do what the user agreed to: " + clip(what, 190), Source: a.src}
}

// nextIntent is what the agent was about to do in the middle of a turn: what it
// announced before its last calls, else what it said last.
func (s *State) nextIntent(now *request, f *distiller.Facts) *distiller.Statement {
	if !s.midway(now) {
		return nil
	}
	step := s.firstStep(f, "doing")
	if now.intent.text == "" || now.intent.seq <= s.requests.promptAt {
		if agreed := s.agreedTo(now); agreed != nil && max(s.requests.lastWork, now.replyAt) < s.requests.promptAt {
			return agreed
		}
		return step
	}
	committed := s.requests.lastCommit > now.intent.seq && s.requests.lastCommit >= s.requests.lastWork
	if then := thenStep(now.intent.text, s.lex); committed && then != "" {
		return &distiller.Statement{Text: "go on with what the agent announced: " + then, Source: now.intent.src}
	}
	if committed || now.proved > now.intent.seq && now.proved >= s.requests.lastWork {
		return step // what was announced is done
	}
	text := "go on with what the agent announced: " + now.intent.text
	switch {
	case now.announced && s.requests.lastWork > now.intent.seq:
		text = "go on; the agent announced, and has worked since: " + now.intent.text
	case !now.announced:
		text = "go on; the agent said last: " + now.intent.text
	}
	if now.because != "" {
		text += " — " + now.because
	}
	if now.announced && now.intent.seq > s.progress.seq && s.requests.lastWork > s.progress.seq {
		step = nil // the list was left behind
	}
	if step != nil && !sameRequest(step.Text, now.intent.text) {
		return &distiller.Statement{Text: clip(step.Text, 110) + "; " + text, Source: step.Source}
	}
	return &distiller.Statement{Text: text, Source: now.intent.src}
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
func (s *State) announces(now *request) bool {
	return now.announced && now.ended != transcript.TurnInterrupted
}

// firstStep is the first step in a state, of a list that belongs to the current
// request.
func (s *State) firstStep(f *distiller.Facts, state string) *distiller.Statement {
	for _, p := range f.Progress {
		if p.State == state && !s.written(p.Text) {
			return &distiller.Statement{Text: p.Text, Source: p.Source}
		}
	}
	return nil
}

// nextStated is what a closing reply said comes next. It outlives turns in
// which nothing was done.
func (s *State) nextStated(now *request, _ *distiller.Facts) *distiller.Statement {
	chain := s.requests.chain()
	for i := len(chain) - 1; i >= 0; i-- {
		r := chain[i]
		if r.stated.text != "" && s.requests.lastWork <= r.stated.seq {
			return &distiller.Statement{Text: r.stated.text, Source: r.stated.src}
		}
		if r.calls > 0 && len(r.changed)+len(r.commits) > 0 {
			return nil
		}
	}
	return nil
}

// written says that the file a step names was written after the list was made.
func (s *State) written(step string) bool {
	done := false
	pathsIn(step, func(p string, _ int) {
		if file := s.files.known(p); file != nil && file.editSeq > s.progress.seq && s.progress.seq > 0 && file.change == "write" {
			done = true
		}
	})
	return done
}

// nextStep is a step of a list that belongs to what is worked on.
func (s *State) nextStep(_ *request, f *distiller.Facts) *distiller.Statement {
	if step := s.firstStep(f, "doing"); step != nil {
		return step
	}
	return s.firstStep(f, "todo")
}

// nextCheck is a check that failed while this request was worked on, or what it
// corrects. Where nothing was changed, as in a review, nobody asked to make it
// pass, nor where the environment is the reason.
func (s *State) nextCheck(now *request, _ *distiller.Facts) *distiller.Statement {
	first := now
	if now.thin || now.relation == corrects || now.relation == answers {
		first = s.requests.head()
	}
	if !s.requests.changedSince(first) {
		return nil
	}
	for _, fl := range s.failures.open(s.calls, s.turn, s.git.lastCommit()) {
		if kind, _ := limitIn(fl.why); fl.check && fl.seq >= first.seq && kind == "" {
			return &distiller.Statement{Text: "make this pass: " + strings.ReplaceAll(fl.what, "`", "'"), Source: fl.src}
		}
	}
	return nil
}

// nextLeft is what usually remains.
func (s *State) nextLeft(now *request, f *distiller.Facts) *distiller.Statement {
	changed := s.files.uncommitted(s.git.lastCommit())
	switch {
	case s.verify.waiting(s.turn):
		return &distiller.Statement{Text: "see how the background work ended, then finish the request: " + clip(now.words, 120), Source: now.src}
	case s.undone() != nil:
		c := s.undone()
		return &distiller.Statement{Text: "check what this call did, then go on: " + clip(strings.ReplaceAll(c.what(), "`", "'"), 160), Source: c.src}
	case !now.spoke && now.calls > 0:
		return &distiller.Statement{Text: "go on with the request: " + clip(taskText(f, now), 190), Source: now.src}
	case now.ended == transcript.TurnInterrupted:
		return &distiller.Statement{Text: "the user interrupted; ask how to go on with: " + clip(taskText(f, now), 170), Source: now.src}
	case s.git.pushed > 0 && s.git.checked < s.git.pushed && len(changed) == 0 && now.pushed:
		return &distiller.Statement{Text: "look at the CI run of " + fallback(s.references.pullRequest(), "what was pushed") + " and fix what is red", Source: s.git.src}
	case len(changed) > 0 && len(now.changed) > 0 && s.progress.checkedLast(s):
		return &distiller.Statement{Text: "review the uncommitted changes (" + shortList(changed) + ") and commit them; the checks passed after the last edit"}
	case len(changed) > 0 && len(now.changed) > 0:
		return &distiller.Statement{Text: "review the uncommitted changes (" + shortList(changed) + "), run the checks, commit"}
	case len(changed) > 0:
		return &distiller.Statement{Text: "nothing is open; uncommitted changes: " + shortList(changed)}
	case s.requests.asked != nil && s.requests.asked.optional:
		return &distiller.Statement{Text: "nothing is open; the agent's offer stands: " + clip(s.requests.asked.question, 180), Source: s.requests.asked.src}
	}
	return &distiller.Statement{Text: "nothing is open: the last request was answered; ask what comes next"}
}

func taskText(f *distiller.Facts, now *request) string {
	if f.Task != nil {
		return f.Task.Text
	}
	return now.words
}

func shortList(paths []string) string {
	return clip(strings.Join(paths[:min(3, len(paths))], ", "), 120)
}

// imperative begins a line with an upper-case letter and no bullet.
func imperative(s string) string {
	s = strings.TrimSpace(s)
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || strings.HasPrefix(s, "`") {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
