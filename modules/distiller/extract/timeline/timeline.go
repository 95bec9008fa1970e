package timeline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/advice"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Timeline is the list of requests, oldest first.
type Timeline struct {
	Prior      *distiller.Task
	Alone      bool   // a subagent's session: all its instructions come from the agent above it
	begun      bool   // the session has said or done something
	session    string // the one that began last: one file may hold several
	restarted  bool   // and nobody has asked it for anything: it knows nothing of what was said before
	Requests   []*Request
	Topic      int
	vocab      map[string]bool      // what the topic speaks of
	lastReply  string               // its text, until the person speaks
	served     bool                 // the person did something since, as adding a file
	Asked      *dialogue.Question   // what the last reply, or an asking tool, asked; nil once the person spoke
	spoken     *dialogue.Question   // what the newest prompt answered, until the agent does something
	declined   bool                 // the person turned down what an asking tool put to them
	Unanswered []*dialogue.Question // passed over by the person, newest last
	LastWork   int                  // event of the newest edit, check or commit
	LastAct    int                  // event of the newest command, of the agent or the person, that did more than look
	Planning   bool                 // the newest prompt is one of a mode in which nothing is changed before the person agrees to a plan, and they have not
	Planned    bool                 // the newest reply is a plan that the person agrees to before anything is done, and nothing has been
	MarksTurns bool                 // the tool records where turns end
	LastEdit   int                  // event of the newest edit
	LastCommit int                  // event of the newest commit
	LastPush   int                  // and of the newest push
	PromptAt   int                  // event of the newest prompt, nudges among them
	Agreed     *dialogue.Question   // what the newest prompt said yes to
	AgreedTo   []distiller.Option
	ran        advice.Commands
	compacted  bool     // nothing was done since the context was compacted
	steered    *Request // a command that only steers the tool, unless the agent works on it
	First      *Quote   // first nudge, where nothing else was ever said
	Aim        Quote    // what is wanted by the newest summary of the tool
}

// Now is the request that is being worked on, nil before the first.
func (t *Timeline) Now() *Request {
	if len(t.Requests) == 0 {
		return nil
	}
	return t.Requests[len(t.Requests)-1]
}

// Add takes one more event.
func (t *Timeline) Add(e *Event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		t.Planning = t.Planning && !OwnWords(e.Located) || e.Planning
		by := t.handed(e)
		if by != "" || e.Wording.Slash || e.Wording.Steers != "" || OwnWords(e.Located) {
			t.prompt(e, by)
		}
	case transcript.Compacted:
		t.steered, t.compacted = nil, true
		t.restarted = t.restarted || e.Compaction != nil && e.Compaction.Cleared
		t.resumed(e)
	case transcript.Question:
		if a := questionOf(e); a != nil {
			t.ask(a, e.Lexicon)
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
	case transcript.Session:
		t.MarksTurns = t.MarksTurns || e.Start != nil && e.Start.EndsTurns
		t.restarted = t.restarted || e.Start != nil && e.Start.How == "" && t.session != "" && e.Session != t.session
		t.session = e.Session
	}
}

// prompt takes what the person said: a nudge, or a request.
func (t *Timeline) prompt(e *Event, by string) {
	e.Answers, e.Picked, e.Opens = nil, nil, false
	e.SentBack = sentBack(e.Text, t.lastReply) || strings.HasPrefix(e.Text, transcript.Restated)
	if e.Listed = nil; !e.SentBack {
		e.Listed = dialogue.ListedBy(e.Text, t.lastReply, e.Lexicon)
	}
	reply := t.lastReply
	e.Reply, t.lastReply = reply, ""
	if e.Wording.Steers != "" && !t.compacted { // else it was the command to compact
		t.steered = &Request{Wording: dialogue.Wording{Words: "run /" + e.Wording.Steers, Slash: true, Bare: true}, Source: e.Source, Seq: e.Seq, At: e.Time, Thin: true, Relation: Continues}
	}
	if e.Wording.Words == "" && e.Wording.Pasted == "" {
		return
	}
	t.steered = nil
	reworded := t.Asked == nil && t.spoken != nil
	if reworded { // two prompts in a row may be one answer, reworded
		t.Asked = t.spoken
	}
	t.PromptAt, t.Agreed, t.AgreedTo, t.Planned = e.Seq, nil, nil, false
	if now := t.Now(); now != nil {
		e.Proposed = proposal(now)
	}
	if dialogue.IsNudge(e.Wording.Words, e.Lexicon) && e.Wording.Words != "" {
		t.nudged(e)
		return
	}
	restarted := t.restarted
	if restarted {
		t.restarted, t.Asked, reply, e.Listed, reworded = false, nil, "", nil, false
	}
	r := &Request{Wording: e.Wording, By: by, Source: e.Source, Seq: e.Seq, At: e.Time, Asks: dialogue.Asks(e.Wording.Words, e.Lexicon), Thin: dialogue.IsThin(e.Wording.Words, e.Lexicon) || dialogue.NamedBefore(e.Wording.Words, reply)}
	r.Relation, r.Fresh = t.relate(e, r, restarted), restarted
	e.Relation, e.Answers, e.Picked = r.Relation, r.answered, r.picked
	e.Opens = !slices.ContainsFunc(t.Requests, func(q *Request) bool { return !q.Bare })
	if r.answered == nil && !reworded && t.Asked.Waits(e.Lexicon) && !t.Asked.SaysLittle(e.Lexicon) && e.Listed == nil && !t.speaksTo(r, e.Lexicon) && (!t.served || t.Asked.Puts()) {
		t.Unanswered = bounded.Limit(append(t.Unanswered, t.Asked), 4)
	}
	if r.answered != nil {
		t.Unanswered = slices.DeleteFunc(slices.Clone(t.Unanswered), func(u *dialogue.Question) bool { return dialogue.SameCode(u.Text, r.answered.Text) })
		t.leftOpen(e, r.answered, r.picked, r.Words)
	} else {
		t.Unanswered = slices.DeleteFunc(slices.Clone(t.Unanswered), func(u *dialogue.Question) bool { return r.takesUp(u, e.Lexicon) })
	}
	if len(r.picked) == 0 {
		r.pointed = dialogue.PointedAt(r.Words, reply, e.Lexicon)
	}
	if r.answered != nil && (len(r.picked) > 0 || e.Lexicon == nil || e.Lexicon.Begins(words.Yes, r.Words)) {
		t.Agreed, t.AgreedTo = r.answered, r.picked
	}
	t.Asked, t.spoken = nil, r.answered
	t.Push(r)
	t.learn(e.Wording.Words, e.Lexicon, r.Relation == Begins)
}

// maxFailure bounds what is shown of the error that ended a turn, in runes.
const maxFailure = 120

// sentBack says that a prompt is mostly the reply before it: a person hands a plan
// back to have it carried out, and nothing in it is theirs.
func sentBack(text, reply string) bool {
	if reply == "" {
		return false
	}
	said := map[string]bool{}
	for line := range strings.Lines(reply) {
		said[strings.TrimSpace(line)] = true
	}
	same, lines := 0, 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) < wholeLine {
			continue
		}
		lines++
		if said[line] {
			same++
		}
	}
	return same >= sentLines && same*2 >= lines
}

// What is sent back is at least so many lines of the reply, each at least so long,
// in bytes.
const (
	sentLines = 3
	wholeLine = 20
)

// speaksTo says that a request, though no answer, speaks to what was asked: it uses several
// of its words, tells something in short after a question that is neither an offer
// nor a choice, or brings a program's output to an agent that waited for word.
func (t *Timeline) speaksTo(r *Request, lex *words.Lexicon) bool {
	open := t.Asked.IsQuestion() && len(t.Asked.Options) == 0 && !lex.Begins(words.Offer, t.Asked.Text) && t.Asked.CallID == ""
	return shared(t.Asked.About(), r.Words, lex) >= spokenTo || r.Pasted != "" && !t.Asked.Puts() || open && !r.Asks && !r.Slash && r.Pasted == "" && utf8.RuneCountInString(r.Words) <= shortAnswer
}

// takesUp says that a short request, some turns later, does what a question offered:
// half of its words at least are the question's.
func (r *Request) takesUp(asked *dialogue.Question, lex *words.Lexicon) bool {
	if r.Asks || r.Slash || r.Pasted != "" || asked.IsChoice() || utf8.RuneCountInString(r.Words) > shortAnswer {
		return false
	}
	same := shared(asked.About(), r.Words, lex)
	return same > 0 && same*2 >= lex.Weight(r.Words)
}

// spokenTo is how many words of a question a long prompt uses that speaks to it,
// whatever else it asks for.
const spokenTo = 3

// leftOpen keeps what the reply asked beside the question that a prompt answers
// with few words: nobody answered that. Of two things to choose, words that merely move
// the agent on take none.
func (t *Timeline) leftOpen(e *Event, asked *dialogue.Question, picked []distiller.Option, said string) {
	if len(picked) > 1 || e.Lexicon.Weight(said) > LongRequest || e.Lexicon.In(words.All, said) || e.Lexicon.In(words.Both, said) {
		return
	}
	if len(picked) == 0 && asked.LeavesTwo(e.Lexicon) && dialogue.IsThin(said, e.Lexicon) && e.Lexicon.Begins(words.Nudge, said) && !e.Lexicon.Begins(words.Yes, said) && !t.Asked.TakesOne(said, e.Lexicon) {
		t.Unanswered = bounded.Limit(append(t.Unanswered, asked), 4)
	}
	for _, text := range asked.Also {
		same := len(picked) > 0 && e.Lexicon.Weight(text) < LongRequest || asked.Repeats(&dialogue.Question{Text: text}, e.Lexicon) // it asked for the choice in other words
		if !same && shared(text, said, e.Lexicon) == 0 {
			t.Unanswered = bounded.Limit(append(t.Unanswered, &dialogue.Question{Text: text, Source: asked.Source, Seq: asked.Seq}), 4)
		}
	}
}

// handed says who worded a prompt that is not the person's and counts as a
// request all the same: what another agent gives a session that it begins, and
// everything in a subagent's session.
func (t *Timeline) handed(e *Event) string {
	if e.Origin != transcript.Injected || !t.Alone && (t.begun || t.Now() != nil) {
		return ""
	}
	req := dialogue.ReadPrompt(e.Text, transcript.Typed, e.Lexicon)
	if req.Words == "" {
		return ""
	}
	e.Wording = req
	return distiller.ByAgent
}

// resumed takes what is wanted from the tool's summary: where a session begins
// with that of one that is gone, it is the task.
func (t *Timeline) resumed(e *Event) {
	aim := dialogue.FirstSection(e.Text)
	if aim == "" {
		return
	}
	t.Aim = Quote{Text: prose.Clip(aim, dialogue.MaxWords), Source: e.Source, Seq: e.Seq}
	if !t.begun && t.Now() == nil {
		t.Push(&Request{Wording: dialogue.Wording{Words: prose.Clip(aim, dialogue.MaxWords)}, By: distiller.BySummary, Source: e.Source, Seq: e.Seq, At: e.Time, Relation: Begins})
	}
}

// nudged moves the request on: the predecessor's, where this session has none.
func (t *Timeline) nudged(e *Event) {
	e.Relation, e.Answers = Continues, t.Asked
	t.Agreed = t.Asked
	if t.Asked != nil {
		e.Picked = t.Asked.Picked(e.Text, e.Lexicon)
		t.AgreedTo = e.Picked
		t.leftOpen(e, t.Asked, e.Picked, e.Wording.Words)
	}
	t.Asked, t.spoken = nil, t.Asked
	if t.Now() == nil {
		if t.First == nil {
			t.First = &Quote{Text: e.Wording.Words, Source: e.Source}
		}
		if t.Prior == nil {
			return
		}
		t.Push(&Request{Wording: dialogue.Wording{Words: t.Prior.Text}, Source: t.Prior.Source, Seq: e.Seq, At: e.Time, Relation: Continues})
	}
	now := t.Now()
	now.Resumed = now.Calls > 0 && (!now.Spoke || now.Announced) && e.Answers == nil
	now.Moved = bounded.Limit(append(now.Moved, Quote{Text: e.Wording.Words, Source: e.Source, Seq: e.Seq}), maxMoved)
	now.Waits, now.Ended, now.Spoke = nil, "", false
}

// Push makes a request the current one.
func (t *Timeline) Push(r *Request) {
	if r.Relation == Begins {
		t.Topic++
		t.Unanswered = nil
	}
	r.topic = t.Topic
	if now := t.Now(); now != nil {
		now.torn = now.Calls > 0 && (!now.Spoke || now.Announced)
		if now.Words == r.Words && now.Calls == 0 && now.ReplyAt == 0 { // said again, for nothing came of it
			t.Requests = t.Requests[:len(t.Requests)-1]
			r.Relation = now.Relation
		}
	}
	if len(t.Requests) >= maxRequests { // the first one stays: it is where the session began
		t.Requests = append(slices.Clone(t.Requests[:1]), t.Requests[2:]...)
	}
	t.Requests = append(t.Requests, r)
}

// Chain are the requests of the current topic, oldest first.
func (t *Timeline) Chain() []*Request {
	i := len(t.Requests)
	for i > 0 && t.Requests[i-1].topic == t.Topic {
		i--
	}
	return t.Requests[i:]
}

// ChangedSince says that a file was changed for a request or for one after it.
func (t *Timeline) ChangedSince(first *Request) bool {
	return slices.ContainsFunc(t.Requests, func(r *Request) bool { return r.Seq >= first.Seq && len(r.Changed) > 0 })
}

// Worked says that a request of this session was taken up: more than a
// greeting, or a nudge that the agent acted on.
func (t *Timeline) Worked(lex *words.Lexicon) bool {
	return slices.ContainsFunc(t.Requests, func(r *Request) bool {
		if len(r.Moved) > 0 && r.Words == t.priorText() && r.Relation == Continues {
			return r.Calls > 0
		}
		return r.Pasted != "" || !lex.Empty(r.Words) || r.Calls > 0
	})
}

func (t *Timeline) priorText() string {
	if t.Prior == nil {
		return ""
	}
	return t.Prior.Text
}

// RepliedAt is the event of the newest reply to the current request, 0 for
// none.
func (t *Timeline) RepliedAt() int {
	if now := t.Now(); now != nil {
		return now.ReplyAt
	}
	return 0
}

// Head is the request that is being worked on: the newest that can stand alone.
// A short answer belongs to the request it was asked for. What a person asks is
// never less than what another agent or a summary said before.
func (t *Timeline) Head() *Request {
	chain := t.Chain()
	for i := len(chain) - 1; i > 0; i-- {
		if r := chain[i]; r.Asks && r.ReplyAt > 0 && chain[i-1].torn {
			continue // a side question, answered
		}
		if r := chain[i]; r.By == "" && chain[i-1].By != "" || !r.Thin && (r.Relation != Answers || len(strings.Fields(r.Words)) > 14) {
			return r
		}
	}
	return chain[0]
}

// Before is the last request of the topic before one that says much, made
// the agent work much, or ended in a commit or a deed on a forge; nil for none but the first.
func (t *Timeline) Before(head *Request, lex *words.Lexicon) *Request {
	chain := t.Chain()
	for i := slices.Index(chain, head) - 1; i > 0; i-- {
		r := chain[i]
		if r.Words != "" && !r.Thin && (r.Delivered() || lex.Weight(r.Words) >= LongRequest || len(r.Changed) > 0 || r.Calls > weightyCalls) {
			return r
		}
	}
	return nil
}

// weightyCalls is how many calls make a short request a weighty one.
const weightyCalls = 8
