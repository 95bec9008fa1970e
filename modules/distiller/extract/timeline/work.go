package timeline

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/checks"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// replied reads a reply: what it concludes, asks, and says comes next.
func (t *Timeline) replied(e *Event) {
	t.begun, t.spoken, t.served, t.Planned = true, nil, false, e.Planning
	t.learn(e.Text, e.Lexicon, false)
	t.lastReply = e.Text
	a := questionOf(e)
	if a != nil {
		t.ask(a, e.Lexicon)
	} else {
		if left := t.Asked; left != nil && left.CallID != "" && !t.declined { // nobody answered in time
			t.Unanswered = bounded.Limit(append(t.Unanswered, left), 4)
		}
		t.Asked = nil
	}
	now := t.Now()
	if now == nil {
		return
	}
	edited := t.LastEdit > max(now.LastCall, now.ReplyAt, now.Seq)
	if now.Ended == transcript.TurnFailed { // the tool has tried again
		now.Ended = ""
	}
	now.Waits, now.Spoke, now.ReplyAt, now.Resumed = a, true, e.Seq, false
	now.Remarks, now.Advice = conclusions(now, e, edited), t.ran.Of(e.Text, now.Calls)
	if next, ok := statedNext(e); ok {
		now.Stated = next
	} else if now.Stated.Text != "" && t.LastWork > now.Stated.Seq {
		now.Stated = Quote{}
	}
	now.announce(e, a)
	long := reportLength
	switch {
	case len(now.Changed)+len(now.Commits) > 0 && prose.Entries(e.Said) > 1:
		long = listLength
	case now.Calls == 0, now.Asks, prose.Entries(e.Said) > 1:
		long = answerLength
	}
	done := now.Calls > 0 && len(e.Said) > 0 && e.Lexicon.Begins(words.Done, e.Said[0].Text)
	if now.Reports, now.final = e.Final, e.Final; e.Final {
		now.Announced = false // its tool says that nothing follows
		return
	}
	now.Reports = !now.Announced && (done || utf8.RuneCountInString(e.Text) > long)
}

// reportLength is how long a reply is, in runes, that ends a turn though the tool did not
// say so: of replies longer than this that announce nothing, nine in ten did, and of
// shorter ones one in six. Of those that no call came before, seven in eight did from
// half that length on, of those with a list and of those to a question three in four:
// answerLength. Of those with a list, where something had been changed, four in five did from
// a quarter of it on: listLength. Those that begin by saying that it
// is done did in nine of ten.
const (
	reportLength = 600
	answerLength = reportLength / 2
	listLength   = reportLength / 4
)

// announce notes what a reply ends by saying it will do: a last sentence that
// ends in a colon, or one of the last that begins so. Else its last sentence
// stands for where the agent was.
func (r *Request) announce(e *Event, asked *dialogue.Question) {
	r.Intent, r.Announced, r.Because, r.judged = Quote{}, false, "", false
	n := len(e.Said)
	if n == 0 || asked != nil && !asked.Optional {
		return
	}
	at := n - 1
	for at >= 0 && dialogue.LeavesOff(e.Said[at].Text, e.Lexicon) {
		at-- // how it takes its leave says nothing of where it was
	}
	if at < 0 {
		return
	}
	r.Announced = strings.HasSuffix(strings.TrimRight(e.Text, " \n*_"), ":")
	for i := at; i >= max(0, n-3) && !r.Announced; i-- {
		if s := e.Said[i]; !s.Bullet && e.Lexicon.Announces(s.Text) && !e.Lexicon.In(words.Await, s.Text) {
			at, r.Announced = i, true
		}
	}
	text, several := prose.LastList(e.Said[:at+1], maxList)
	if r.several = several && !r.Announced; !r.several {
		text = strings.TrimRight(e.Said[at].Text, ":. ")
		if at < n-1 && r.Announced && e.Lexicon.Weight(text) <= 1 && dialogue.NamedIn(text) == 0 { // "Let me fix that." says what in the next one
			text += ": " + strings.TrimRight(e.Said[at+1].Text, ":. ")
		}
	}
	if at > 0 && !r.several && utf8.RuneCountInString(text) < 110 && says(e.Said[at-1].Text) { // a short step leans on what was found before it
		r.Because = prose.Clip(e.Said[at-1].Text, 110)
	}
	r.Pleasantry = !r.Announced && r.Because == "" && !says(text)
	r.Intent = Quote{Text: text, Source: e.Source, Seq: e.Seq}
}

// maxList bounds a list that is shown as what the agent said last, in runes.
const maxList = 200

// says tells a finding from an exclamation by its length or by what it names.
func says(sentence string) bool {
	return utf8.RuneCountInString(sentence) > exclamation || dialogue.NamedIn(sentence) > 0
}

// exclamation is how long "Good observations." and the like are, in runes.
const exclamation = 28

// redirects is how many words of content a person uses at least who refuses a plan and says
// what to do.
const redirects = 3

// byPerson takes a command that the person ran, or a file they gave. What the agent asked still
// waits, but not for files that it has now; and where nothing was asked for yet, what the agent
// makes of the command is what they want.
func byPerson(t *Timeline, e *Event) {
	t.served = true
	switch now := t.Now(); {
	case now == nil && e.Call != nil && e.Call.Command != "":
		words := "see what came of " + prose.Code(e.Call.Command, 150) + ", which the user ran"
		t.steered = &Request{Wording: dialogue.Wording{Words: words, Slash: true, Bare: true}, Source: e.Source, Seq: e.Seq, At: e.Time, Thin: true, Relation: Begins}
	case now != nil && e.ToolCall != nil && e.ToolCall.Info.Meaning == transcript.Read && t.Asked != nil && !t.Asked.Puts():
		t.Asked, now.Waits, now.Spoke = nil, nil, false
	}
}

func (t *Timeline) called(e *Event) {
	if e.Origin == transcript.Typed {
		byPerson(t, e)
		return
	}
	t.begun, t.spoken, t.compacted = true, nil, false
	if t.steered != nil { // it did more than steer the tool: the agent works on it
		t.PromptAt = t.steered.Seq
		t.Push(t.steered)
		t.steered = nil
	}
	now := t.Now()
	if now == nil {
		return
	}
	now.Calls++
	if of := e.ToolCall.Info; (now.final || now.Ended == transcript.TurnCompleted) && now.Spoke && of.Meaning == transcript.Other && of.Command == "" && len(of.Paths) == 0 {
		return // it hands in what it has just reported
	}
	t.ran = t.ran.With(e.ToolCall.Info.Command)
	now.LastCall, now.Spoke, now.Refused = e.Seq, false, nil
	if e.ToolCall == nil || e.ToolCall.Family != "git commit" || now.Ended != transcript.TurnCompleted {
		now.Ended = "" // else the tool commits what the turn left
	}
	if e.ToolCall != nil && e.ToolCall.Info.Meaning != transcript.Ask {
		now.Waits = nil
	}
}

// resulted notes what a call did: files, checks, commits.
func (t *Timeline) resulted(e *Event) {
	if e.ToolCall == nil || e.ToolCall.Subagent || t.Now() == nil {
		return
	}
	c := e.ToolCall
	if c.Info.Command != "" && c.acts() {
		t.LastAct = e.Seq
	}
	now := calledFor(t, c)
	now.acted = now.acted || c.acts()
	if c.Info.Meaning == transcript.Ask {
		t.declined = e.Verdict.Kind == verdict.Refused
	}
	if e.Verdict.Kind == verdict.Refused && c.Info.Meaning != transcript.Ask {
		refusal := &Refusal{What: e.What(), Said: dialogue.SaidRefusing(e.Result.Text), Source: c.Source}
		if e.Beside = now.Refused != nil && refusal.Said == ""; !e.Beside { // what was called with a refused call goes with it
			now.Refused = refusal
		}
		if c.Info.Meaning == transcript.Planning && e.Lexicon.Weight(now.Refused.Said) >= redirects {
			now.Redirected = Quote{Text: now.Refused.Said, Source: c.Source, Seq: e.Seq}
		}
	}
	t.checked(now, e)
	now.delivered(e)
	if !Happened(e) {
		return
	}
	if strings.HasPrefix(c.Info.Name, "mcp__") {
		now.didBy(c.Info.Name, e.Result.Text)
	}
	changed := ChangedBy(e)
	changed = now.moved(e, changed)
	if c.Info.Meaning == transcript.Delete || strings.Contains(c.Info.Command, "rm ") {
		changed = now.unmade(e, changed)
	}
	for _, p := range changed {
		if !slices.Contains(now.Changed, p) && len(now.Changed) < MaxChanged {
			now.Changed = append(now.Changed, p)
			if makes(e) {
				now.made = append(slices.Clip(now.made), p)
			}
		}
		t.learnName(p)
	}
	if len(changed) > 0 {
		t.LastWork, t.LastEdit, t.Planning, t.Planned = e.Seq, e.Seq, false, false
	}
	if slices.ContainsFunc(changed, paths.Checked) {
		now.edited = e.Seq
	}
	if now.writesElsewhere(e) {
		t.LastWork, now.wroteAt = e.Seq, e.Seq
	}
	for _, cmd := range c.Commands {
		t.ranOn(now, e, cmd)
	}
}

// calledFor is the request that a call was made for: a prompt may come before the result.
func calledFor(t *Timeline, c *OpenCall) *Request {
	for _, r := range slices.Backward(t.Requests) {
		if r.Seq <= c.seq {
			return r
		}
	}
	return t.Now()
}

// ranOn notes what a command did to a repository or on a forge.
func (t *Timeline) ranOn(now *Request, e *Event, cmd shell.Command) {
	switch family := shell.Family(cmd.Argv); family {
	case "git commit":
		if !InScratch(e, cmd) {
			t.LastWork, t.LastCommit = e.Seq, e.Seq
			now.committed(t.Requests, e, cmd)
		}
	case "git reset":
		if !InScratch(e, cmd) && !Elsewhere(e, cmd) {
			takeBack(t.Requests, e, cmd.Argv)
			if e.ToolCall.ByUser && Passed(e) && shell.BackBy(cmd.Argv) > 0 {
				now.undoneAt = e.Seq
			}
		}
	case "git push", "gh pr", "gh issue", "gh release", "glab mr", "glab issue", "glab release":
		t.LastWork = e.Seq
		if family == "git push" && PushesWork(e, cmd) {
			now.Pushed, t.LastPush = true, e.Seq
		}
		now.did(cmd.Argv, e.Result.Text)
		if family == "gh pr" {
			sawMerged(t.Requests, cmd.Argv, e.Result.Text)
		}
	case "gh api":
		if now.mutated(e.Result.Text) {
			t.LastWork = e.Seq
		}
	}
}

// committed notes a commit; one that is amended has a new id wherever it stands.
func (r *Request) committed(all []*Request, e *Event, cmd shell.Command) {
	if e.ToolCall.ByUser && len(r.Changed) == 0 {
		return // of what they changed themselves
	}
	id := ""
	if m := output.Committed.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil {
		id = m[2]
	}
	if id != "" && shell.Amends(cmd.Argv) {
		written(all, id)
	}
	if m := output.FilesOf.FindStringSubmatch(prose.Excerpt(e.Result.Text)); m != nil {
		r.inCommit, _ = strconv.Atoi(m[1])
		r.committedAt = e.Seq
	}
	if n := len(r.Commits); n == 0 || id == "" || r.Commits[n-1] != id {
		r.Commits = bounded.Limit(append(r.Commits, id), 8)
	}
}

// checked notes the result of a check, by what it examines.
func (t *Timeline) checked(now *Request, e *Event) {
	if Passed(e) && slices.ContainsFunc(e.ToolCall.Commands, func(cmd shell.Command) bool { return !cmd.Hidden && verdict.Formats(cmd.Argv) }) {
		now.checked.Forget(verdict.Format) // what it found is mended, and nobody has looked again
	}
	if !IsCheck(e.ToolCall.Family) || e.Verdict.Check == "" {
		return
	}
	t.LastWork = e.Seq
	bad := Failed(e) || e.Test.Failed
	now.judged = now.judged || Passed(e) || bad
	if !bad && !Passed(e) {
		return
	}
	if !bad && t.LastEdit > now.Intent.Seq {
		now.Proved = e.Seq
	}
	if bad {
		now.checked.Note(e.Verdict.Check, checks.Failure(e.ToolCall.Info, e.Verdict, e.Test, e.Result.Text), e.Seq)
		return
	}
	now.checked.Note(e.Verdict.Check, checks.Passed, e.Seq)
	for _, cmd := range e.ToolCall.Commands {
		if kind := verdict.Proves(cmd.Argv); kind != "" {
			now.checked.Note(kind, checks.Passed, e.Seq) // of several checks in one call none failed
		}
	}
}

// chose notes what the person chose when an asking tool put a question, after what they
// chose in the same call. A hook and the transcript may both tell of one choice.
func (r *Request) chose(e *Event) {
	text := prose.Clip(prose.OneLine(e.Decision.Question), 90) + " → " + prose.Clip(strings.Join(e.Decision.Chosen, "; "), 110)
	switch listed := slices.Contains(strings.Split(r.Chosen.Text, " · "), text); {
	case r.Chosen.Seq <= r.LastCall:
	case listed:
		text = r.Chosen.Text
	default:
		text = r.Chosen.Text + " · " + text
	}
	r.Chosen = Quote{Text: text, Source: e.Source, Seq: e.Seq}
}

// ended notes how a turn ended. A slip of one or two words that was taken back
// before anything happened is forgotten.
func (t *Timeline) ended(e *Event) {
	now := t.Now()
	if now == nil || now.Ended == transcript.TurnFailed && e.Text == transcript.TurnInterrupted {
		return // the tool tried again, and was stopped
	}
	now.Ended = e.Text
	t.MarksTurns = t.MarksTurns || e.Text == transcript.TurnCompleted // tools that record no other end record an interruption
	if now.failure = ""; e.Text == transcript.TurnFailed && e.Result != nil {
		now.failure = prose.Clip(prose.OneLine(output.StripANSI(e.Result.Text)), maxFailure)
	}
	if e.Text == transcript.TurnInterrupted && now.Calls == 0 && !now.Spoke && len(t.Requests) > 1 && len(strings.Fields(now.Words)) <= 2 {
		t.Requests = t.Requests[:len(t.Requests)-1]
	}
}

// proposal is what a person agreed to by a yes: the weightiest sentences of the
// reply.
func proposal(now *Request) string {
	var parts []string
	for _, r := range Best(slices.DeleteFunc(slices.Clone(now.Remarks), func(r Remark) bool { return r.reply != now.ReplyAt }), 2) {
		text := r.Whole()
		if utf8.RuneCountInString(r.Under) >= shortHeading {
			text = r.Text
		}
		parts = append(parts, prose.Clip(text, 150))
	}
	return strings.Join(parts, "; ")
}
