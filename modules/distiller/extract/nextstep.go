package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/checks"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/files"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/statements"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/modules/distiller/words"
)

// Which step of a list comes next: the one that is being done, or that the agent spoke
// of, unless what it asks for has been written, checked or delivered since.

// step is a step of a list that belongs to what is worked on.
func (n nextAction) step() *distiller.Statement {
	if step := n.firstStep("doing"); step != nil {
		return step
	}
	return n.firstStep("todo")
}

// proved says behind the step that is being done what may prove it done.
func proved(n nextAction, next string) string {
	step := n.firstStep("doing")
	if step == nil || !strings.HasPrefix(next, step.Text) {
		return next
	}
	if check := passesSince(n); check != "" {
		return step.Text + " (" + prose.Code(check, maxCheck) + " passes since: see whether it is done)" + next[len(step.Text):]
	}
	return next
}

// passesSince is a check that had failed, and has passed since the list was made and after the last
// edit: the step that is being done may be to make it pass. "" for none, or where another one fails.
func passesSince(n nextAction) string {
	if n.fails() {
		return ""
	}
	for _, pass := range slices.Backward(n.session.progress.passes) {
		mended := func(fl distiller.Failure) bool { return fl.Ended == "solved" && fl.What == pass.key }
		if pass.seq > n.session.progress.seq && pass.calls >= n.session.files.Edited && slices.ContainsFunc(n.facts.Failures, mended) {
			return pass.key
		}
	}
	return ""
}

// unsaid is what comes next where the agent has said nothing since the prompt: a step of the
// list it made for it, what was agreed to, else the step it is at.
func (n nextAction) unsaid(at *distiller.Statement) *distiller.Statement {
	if listed := n.step(); listed != nil && n.session.progress.seq > n.session.requests.PromptAt {
		return listed // a list made for it says more than what was agreed to
	}
	if agreed := n.agreedTo("do"); agreed != nil && max(n.session.requests.LastWork, n.now.ReplyAt) < n.session.requests.PromptAt {
		return agreed
	}
	return at
}

// following is the first step of the agent's list behind what comes next, where it is in
// the middle of the request.
func (n nextAction) following(next string) string {
	if !n.session.midway(n.now) {
		return ""
	}
	then := n.firstStep("todo")
	if then == nil || strings.Contains(next, "; then") || prose.Repeats(then.Text, next) || strings.Contains(next, prose.Clip(then.Text, 40)) {
		return ""
	}
	text := "; then, by its list: " + prose.Clip(then.Text, 90)
	if utf8.RuneCountInString(next+text) > timeline.MaxNext {
		return ""
	}
	return text
}

// at is the step of the list that the agent is at: the one it marked, or the one behind
// that once its file is written and the agent announced nothing since.
func (n nextAction) at() *distiller.Statement {
	step := n.firstStep("doing")
	if step == nil && n.session.progress.seq > n.now.Intent.Seq {
		step = n.firstStep("todo")
	}
	return step
}

// workedOff is the first step that is still to do, where the agent announced the one it marked
// as being done, and all that this one names by number is handled, or one whose files are written.
func (n nextAction) workedOff() *distiller.Statement {
	about := dialogue.WordsOf(n.now.Intent.Text, n.session.lex)
	for _, p := range n.facts.Progress {
		over := p.State == "doing" && handled(p.Text, n.now) || p.State != "done" && n.written(p.Text)
		if same := dialogue.Overlap(about, dialogue.WordsOf(p.Text, n.session.lex)); over && (same > 1 || same > 0 && same == len(about)) {
			return n.firstStep("todo")
		}
	}
	return nil
}

// firstStep is the first step in a state, of a list that belongs to the current
// request. Where the list was not kept up, but all steps before that one are seen to be worked
// on, several of them, it says where the agent is all the same.
func (n nextAction) firstStep(state string) *distiller.Statement {
	seen, gap := 0, false
	for _, p := range n.facts.Progress {
		if p.State == "done" {
			continue
		}
		over := n.session.touched(p.Text) || handled(p.Text, n.now) || n.written(p.Text) || n.session.progress.proves(p.Text, n.session.files.Edited, n.session.lex) || n.delivered(p.Text, 2)
		if p.State == state && !over && (p.Outdated == 0 || !gap && seen >= severalSeen) {
			return &distiller.Statement{Text: p.Text, Source: p.Source}
		}
		if over {
			seen++
		} else {
			gap = true
		}
	}
	return nil
}

// severalSeen is how many steps of a list must be seen to be worked on, so that the next one says
// where the agent is.
const severalSeen = 2

// stepOf is the step of the list that the agent spoke of: another one than the step it
// marked, where it uses two more words of that.
func (n nextAction) stepOf(said string, marked *distiller.Statement) *distiller.Statement {
	about := dialogue.WordsOf(said, n.session.lex)
	best, most := marked, dialogue.Overlap(about, dialogue.WordsOf(marked.Text, n.session.lex))+1
	for _, p := range n.facts.Progress {
		if k := dialogue.Overlap(about, dialogue.WordsOf(p.Text, n.session.lex)); p.State == "todo" && k > most {
			best, most = &distiller.Statement{Text: p.Text, Source: p.Source}, k
		}
	}
	return best
}

// delivered says that a step is to commit, push and open a pull request, so many of these
// at least, and that those it names are done for this request.
func (n nextAction) delivered(step string, least int) bool {
	r := &n.session.requests
	done := map[string]bool{"commit": len(n.now.Commits) > 0 && r.LastCommit >= r.LastEdit, "push": n.now.Pushed, "pr": n.now.Opened(), "pull": n.now.Opened()}
	named := 0
	for _, word := range words.Tokens(step) {
		if happened, known := done[word]; known && !happened {
			return false
		} else if known {
			named++
		}
	}
	return named >= least
}

// delivered says that a step is to commit and push, and that both were done for the newest
// request.
func (s *State) delivered(step string) bool {
	now := s.requests.Now()
	return now != nil && nextAction{session: s, now: now}.delivered(step, 2)
}

// handled says that on the forge something was done for a request to all that a step names by
// number.
func handled(step string, now *timeline.Request) bool {
	found := numbered.FindAllStringSubmatch(step, -1)
	return now != nil && len(found) > 0 && !slices.ContainsFunc(found, func(m []string) bool { return !now.DidTo(m[1]) })
}

// numbered is an issue or a pull request by its number.
var numbered = lazyregexp.New(`(?:^|[\s(,])#(\d+)\b`)

// written says that the files a step names were written after the list was made.
func (n nextAction) written(step string) bool {
	named, _ := reworked(n.session, step)
	return len(named) > 0 && !slices.ContainsFunc(named, func(file *files.Entry) bool { return file.Change != "write" })
}

// begun says that all files which a step names were changed since its list was made.
func (s *State) begun(step string) bool {
	named, _ := reworked(s, step)
	return len(named) > 0
}

// touched says that all files which a step names were changed since its list was
// made, and others after them.
func (s *State) touched(step string) bool {
	named, newest := reworked(s, step)
	return len(named) > 0 && s.requests.LastEdit > newest
}

// reworked are the files that a step names, with the event of the newest change, nil where one of
// them was not changed since the list was made.
func reworked(s *State, step string) (named []*files.Entry, newest int) {
	named, others := s.files.NamedIn(step)
	if s.progress.seq == 0 || others > 0 || slices.ContainsFunc(named, func(file *files.Entry) bool { return file.EditSeq <= s.progress.seq }) {
		return nil, 0
	}
	for _, file := range named {
		newest = max(newest, file.EditSeq)
	}
	return named, newest
}

// deliver says what is left of changes that nobody committed, by the checks that have seen
// them.
func (n nextAction) deliver(changed []string) string {
	open, then := "nothing is open", "), then ask what comes next"
	if n.session.midway(n.now) {
		open, then = "see what is left of the request, then report", "), then report"
	}
	text := " over the " + unsaved(&n.session.git) + " (" + shortList(changed) + then
	passed := n.session.progress.passedAfter(n.session.files.Edited)
	switch {
	case len(passed) == 0 || n.fails():
		return "run the checks" + checkNamed(n.facts) + text
	case !slices.Contains(passed, verdict.Test) && n.session.verify.tested:
		return "run the tests" + checkNamed(n.facts) + text + "; after the last edit " + checks.PassedText(passed)
	}
	return open + "; " + unsaved(&n.session.git) + ": " + shortList(changed) + "; after the last edit " + checks.PassedText(passed)
}

// checkNamed is a check that works here, in brackets: the tests before others; "" where none
// ran.
func checkNamed(f *distiller.Facts) string {
	for _, kind := range []verdict.Check{verdict.Test, verdict.Types, verdict.Build, verdict.Lint} {
		for _, w := range f.Works {
			if w.Kind == string(kind) {
				return " (" + prose.Code(w.Command, maxCheck) + ")"
			}
		}
	}
	return ""
}

// maxCheck is how much of the command is shown, in runes.
const maxCheck = 60

// shortList names the first few files of a list.
func shortList(paths []string) string {
	const named = 3
	text := prose.Clip(strings.Join(paths[:min(named, len(paths))], ", "), 120)
	if more := len(paths) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// reviewed asks what to do about what a review found, where it was to change nothing.
func (n nextAction) reviewed() *distiller.Statement {
	found := n.session.findings.Of(n.now.Seq)
	if len(found) == 0 || len(n.now.Changed) > 0 {
		return nil
	}
	return &distiller.Statement{Text: fmt.Sprintf("ask which of the %d findings to fix, none is handled; the first: %s", len(found), prose.Clip(found[0].Text, 160)), Source: found[0].Source}
}

// unanswered is what the agent offered with its last reply, or asked before it with nothing
// done since: the person has not spoken to it.
func (s *State) unanswered() *distiller.Statement {
	if a := s.requests.Asked; a != nil && a.Optional {
		return &distiller.Statement{Text: "nothing is open; the agent's offer stands: " + prose.Clip(a.Text, 180), Source: a.Source}
	}
	for _, a := range slices.Backward(s.requests.Unanswered) {
		if a.Seq > s.requests.LastWork {
			return &distiller.Statement{Text: "the last request was answered; asked before and not answered: " + prose.Clip(statements.AskedText(a), 170), Source: a.Source}
		}
	}
	return nil
}

// showedFailure says that the person pasted a command with what it printed, or an error, or said
// what it shows: whether that is mended they will see. Pasted code asks for nothing of the kind.
func showedFailure(now *timeline.Request) bool {
	return pastedFailure(now) != "" || now.Pasted != "" && strings.Count(now.Words, "(") < calls
}

// pastedFailure is the error that the person pasted, "" for none.
func pastedFailure(r *timeline.Request) string {
	if strings.Contains(r.Pasted, " → ") || prose.HasAny(strings.ToLower(r.Pasted), "error", "exception", "fail", "fatal", "denied", "not found", "panic", "traceback", "file '", "file \"") {
		return r.Pasted
	}
	return ""
}

// calls is from how many brackets on words are code.
const calls = 3
