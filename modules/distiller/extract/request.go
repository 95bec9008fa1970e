package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// A session is a list of requests. A request is one thing the person asked
// for, with everything that was done for it until the next one. The sections of
// the handoff are chosen from this list, so that nothing in them belongs to a
// request that is long over.
//
//   - A nudge is no request: it moves the one before it on.
//   - A request relates to the one before it: it answers what the agent asked,
//     corrects what the agent did, goes on with it, or begins a new topic.
//   - What came of it is told by evidence: commits, changed files, checks, the
//     question it ended with, how the turn ended.

// relation is how a request follows from the one before.
type relation string

const (
	begins    relation = "new"
	continues relation = "continues"
	answers   relation = "answers"
	corrects  relation = "corrects"
)

// request is one thing the person asked for, and what was done for it.
type request struct {
	dialogue.Wording
	by       string // who worded it, where the person did not
	src      distiller.Source
	seq      int
	at       time.Time
	topic    int
	relation relation
	thin     bool // cannot be told without the request before it
	asks     bool // it is a question

	answered *dialogue.Question // what it answers
	picked   []distiller.Option
	moved    []ask // nudges that came while it was worked on

	calls    int
	lastCall int // event of the newest call
	changed  []string
	checked  map[string]bool // by family, whether the last run passed
	commits  []string
	pushed   bool

	waits     *dialogue.Question // what its last reply asks
	remarks   []remark           // what the agent concluded, oldest first
	stated    ask                // what the closing reply says comes next
	intent    ask                // what the agent was about to do
	torn      bool               // the agent was in the middle of it when the next one came
	spoke     bool               // the newest event of the agent is a reply
	because   string             // the sentence before the intent
	announced bool               // intent is what the agent said it would do, and not merely what it said last
	replyAt   int
	proved    int    // event of the newest check that passed after an edit that followed what was announced
	ended     string // how the last turn ended, "" while it goes on
}

// Bounds of what a session remembers of its requests.
const (
	maxRequests = 60
	maxChanged  = 40
	maxMoved    = 6
	maxVocab    = 2000 // words of the topic
	longRequest = 7    // words of content with which a request can begin a topic
	pause       = 6 * time.Hour
)

// timeline is the list of requests, oldest first.
type timeline struct {
	prior      *distiller.Task
	alone      bool // a subagent's session: all its instructions come from the agent above it
	begun      bool // the session has said or done something
	list       []*request
	topic      int
	vocab      map[string]bool      // what the topic speaks of
	asked      *dialogue.Question   // what the last reply, or an asking tool, asked; nil once the person spoke
	unanswered []*dialogue.Question // passed over by the person, newest last
	lastWork   int                  // event of the newest edit, check or commit
	marksTurns bool                 // the tool records where turns end
	lastEdit   int                  // event of the newest edit
	lastCommit int                  // event of the newest commit
	promptAt   int                  // event of the newest prompt, nudges among them
	agreed     *dialogue.Question   // what the newest prompt said yes to
	agreedTo   []distiller.Option
	first      *ask // first nudge, where nothing else was ever said
}

// now is the request that is being worked on, nil before the first.
func (t *timeline) now() *request {
	if len(t.list) == 0 {
		return nil
	}
	return t.list[len(t.list)-1]
}

func (t *timeline) Add(e *event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		by := t.handed(e)
		if by != "" || e.req.Slash || ownWords(e.Located) {
			t.prompt(e, by)
		}
	case transcript.Compacted:
		t.resumed(e)
	case transcript.Question:
		if a := questionOf(e); a != nil {
			t.ask(a)
		}
	case transcript.Decided:
		t.decided(e)
	case transcript.Reply:
		t.replied(e)
	case transcript.Call:
		t.called(e)
	case transcript.Result:
		t.resulted(e)
	case transcript.Turn:
		t.ended(e)
	}
}

// prompt takes what the person said: a nudge, or a request.
func (t *timeline) prompt(e *event, by string) {
	e.answers, e.picked = nil, nil
	if e.req.Words == "" && e.req.Pasted == "" {
		return
	}
	t.promptAt, t.agreed, t.agreedTo = e.seq, nil, nil
	if now := t.now(); now != nil {
		e.proposed = proposal(now.remarks)
	}
	if dialogue.IsNudge(e.req.Words, e.lex) && e.req.Words != "" {
		t.nudged(e)
		return
	}
	r := &request{Wording: e.req, by: by, src: e.src, seq: e.seq, at: e.Time, asks: prose.IsQuestion(e.req.Words), thin: dialogue.IsThin(e.req.Words, e.lex)}
	r.relation = t.relate(e, r)
	e.relation, e.answers, e.picked = r.relation, r.answered, r.picked
	if r.answered == nil && t.asked.Waits(e.lex) {
		t.unanswered = bounded.Limit(append(t.unanswered, t.asked), 4)
	}
	if r.answered != nil {
		t.leftOpen(e, r)
	}
	if r.answered != nil && (len(r.picked) > 0 || e.lex == nil || e.lex.Begins(words.Yes, r.Words)) {
		t.agreed, t.agreedTo = r.answered, r.picked
	}
	t.asked = nil
	t.push(r)
	t.learn(e.req.Words, e.lex, r.relation == begins)
}

// leftOpen keeps what the reply asked beside the question that a prompt answers
// with few words: nobody answered that.
func (t *timeline) leftOpen(e *event, r *request) {
	if len(r.picked) > 1 || e.lex.Weight(r.Words) > longRequest {
		return
	}
	for _, text := range r.answered.Also {
		if t.shared(text, r.Words, e.lex) == 0 {
			t.unanswered = bounded.Limit(append(t.unanswered, &dialogue.Question{Text: text, Source: r.answered.Source, Seq: r.answered.Seq}), 4)
		}
	}
}

// handed says who worded a prompt that is not the person's and counts as a
// request all the same: what another agent gives a session that it begins, and
// everything in a subagent's session.
func (t *timeline) handed(e *event) string {
	if e.Origin != transcript.Injected || !t.alone && (t.begun || t.now() != nil) {
		return ""
	}
	req := dialogue.ReadPrompt(e.Text, transcript.Typed, e.lex)
	if req.Words == "" || t.now() != nil && dialogue.IsNudge(req.Words, e.lex) {
		return ""
	}
	e.req = req
	return distiller.ByAgent
}

// resumed takes the task of a session that begins with the summary of one that
// is gone from that summary.
func (t *timeline) resumed(e *event) {
	if t.begun || t.now() != nil {
		return
	}
	if aim := dialogue.FirstSection(e.Text); aim != "" {
		t.push(&request{Wording: dialogue.Wording{Words: prose.Clip(aim, dialogue.MaxWords)}, by: distiller.BySummary, src: e.src, seq: e.seq, at: e.Time, relation: begins})
	}
}

// nudged moves the request on: the predecessor's, where this session has none.
func (t *timeline) nudged(e *event) {
	e.relation, e.answers = continues, t.asked
	t.agreed = t.asked
	if t.asked != nil {
		e.picked = t.asked.Picked(e.Text, e.lex)
		t.agreedTo = e.picked
	}
	t.asked = nil
	if t.now() == nil {
		if t.first == nil {
			t.first = &ask{text: e.req.Words, src: e.src}
		}
		if t.prior == nil {
			return
		}
		t.push(&request{Wording: dialogue.Wording{Words: t.prior.Text}, src: t.prior.Source, seq: e.seq, at: e.Time, relation: continues})
	}
	now := t.now()
	now.moved = bounded.Limit(append(now.moved, ask{text: e.req.Words, src: e.src}), maxMoved)
	now.waits, now.ended, now.spoke = nil, "", false
}

func (t *timeline) push(r *request) {
	if r.relation == begins {
		t.topic++
		t.unanswered = nil
	}
	r.topic = t.topic
	if now := t.now(); now != nil {
		now.torn = now.calls > 0 && (!now.spoke || now.announced)
	}
	if len(t.list) >= maxRequests { // the first one stays: it is where the session began
		t.list = append(slices.Clone(t.list[:1]), t.list[2:]...)
	}
	t.list = append(t.list, r)
}

// ask notes a question of the agent. Asked again it stands once.
func (t *timeline) ask(a *dialogue.Question) {
	t.unanswered = slices.DeleteFunc(slices.Clone(t.unanswered), func(u *dialogue.Question) bool { return strings.EqualFold(u.Text, a.Text) })
	if t.asked != nil && a.CallID != "" && t.asked.CallID == a.CallID { // several questions of one call
		t.unanswered = bounded.Limit(append(t.unanswered, t.asked), 4)
	}
	t.asked = a
	if now := t.now(); now != nil {
		now.waits = a
	}
}

// decided removes the answered questions of an asking tool.
func (t *timeline) decided(e *event) {
	if e.Decision == nil || len(e.Decision.Chosen) == 0 {
		return
	}
	answered := func(a *dialogue.Question) bool {
		return a != nil && a.CallID != "" && (a.CallID == e.Decision.CallID && e.Decision.Question == "" || strings.EqualFold(a.Text, prose.Clip(prose.OneLine(e.Decision.Question), 220)))
	}
	if answered(t.asked) {
		t.asked = nil
	}
	t.unanswered = slices.DeleteFunc(slices.Clone(t.unanswered), answered)
	if now := t.now(); now != nil && answered(now.waits) {
		now.waits = nil
	}
}

// chain are the requests of the current topic, oldest first.
func (t *timeline) chain() []*request {
	i := len(t.list)
	for i > 0 && t.list[i-1].topic == t.topic {
		i--
	}
	return t.list[i:]
}

// changedSince says that a file was changed for a request or for one after it.
func (t *timeline) changedSince(first *request) bool {
	return slices.ContainsFunc(t.list, func(r *request) bool { return r.seq >= first.seq && len(r.changed) > 0 })
}

// worked says that a request of this session was taken up: more than a
// greeting, or a nudge that the agent acted on.
func (t *timeline) worked(lex *words.Lexicon) bool {
	return slices.ContainsFunc(t.list, func(r *request) bool {
		if len(r.moved) > 0 && r.Words == t.priorText() && r.relation == continues {
			return r.calls > 0
		}
		return r.Pasted != "" || !lex.Empty(r.Words) || r.calls > 0
	})
}

func (t *timeline) priorText() string {
	if t.prior == nil {
		return ""
	}
	return t.prior.Text
}

// repliedAt is the event of the newest reply to the current request, 0 for
// none.
func (t *timeline) repliedAt() int {
	if now := t.now(); now != nil {
		return now.replyAt
	}
	return 0
}

// ask is something said, with its place.
type ask struct {
	text string
	src  distiller.Source
	seq  int
}

// ownWords says whether a prompt was written by the person.
func ownWords(e *transcript.Located) bool {
	return e.Origin == transcript.Typed || e.Origin == transcript.Queued
}

// said is a request in words: what was pasted with it is named.
func (r *request) said() string {
	switch {
	case r.Words == "":
		return "the user pasted: " + r.Pasted + " (find out why)"
	case r.Pasted != "":
		return r.Words + " (and pasted the output of " + pastedOf(r.Pasted) + ")"
	}
	return r.Words
}

// head is the request that is being worked on: the newest that can stand alone.
// A short answer belongs to the request it was asked for. What a person asks is
// never less than what another agent or a summary said before.
func (t *timeline) head() *request {
	chain := t.chain()
	for i := len(chain) - 1; i > 0; i-- {
		if r := chain[i]; r.asks && r.replyAt > 0 && chain[i-1].torn {
			continue // a side question, answered
		}
		if r := chain[i]; r.by == "" && chain[i-1].by != "" || !r.thin && (r.relation != answers || len(strings.Fields(r.Words)) > 14) {
			return r
		}
	}
	return chain[0]
}

// before is the last request of the topic before one that says much or made
// the agent work much, nil for none but the first.
func (t *timeline) before(head *request, lex *words.Lexicon) *request {
	chain := t.chain()
	for i := slices.Index(chain, head) - 1; i > 0; i-- {
		if r := chain[i]; !r.thin && r.Words != "" && (lex.Weight(r.Words) >= longRequest || len(r.changed) > 0 || r.calls > weightyCalls) {
			return r
		}
	}
	return nil
}

// weightyCalls is how many calls make a short request a weighty one.
const weightyCalls = 8

// pastedOf is the command or failing test that pasted output is of.
func pastedOf(described string) string {
	if command, _, found := strings.Cut(described, " → "); found {
		return command
	}
	if test, _, found := strings.Cut(described, ": "); found && !strings.Contains(test, " ") {
		return test
	}
	return "a program"
}

// fromTool is what an asking tool put to the person.
func fromTool(e *event) *dialogue.Question {
	a := &dialogue.Question{Text: prose.Clip(prose.OneLine(e.Decision.Question), 220), CallID: e.Decision.CallID, Source: e.src, Seq: e.seq}
	for i, o := range e.Decision.Options {
		if i == dialogue.MaxOptions {
			break
		}
		text := o.Label
		if o.Description != "" {
			text += ": " + o.Description
		}
		a.Options = append(a.Options, distiller.Option{Label: dialogue.Letter(i), Text: prose.Clip(prose.OneLine(text), dialogue.OptionRunes), Recommended: strings.Contains(o.Label, "(Recommended)")})
	}
	return a
}

// questionOf reads what an event asks, nil for nothing.
func questionOf(e *event) *dialogue.Question {
	switch {
	case e.Kind == transcript.Question && e.Decision != nil && e.Decision.Question != "":
		return fromTool(e)
	case e.Kind == transcript.Reply:
		if a := dialogue.ReadQuestion(e.Text, e.lex); a != nil {
			a.Source, a.Seq = e.src, e.seq
			return a
		}
	}
	return nil
}
