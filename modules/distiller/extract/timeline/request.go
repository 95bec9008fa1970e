package timeline

import (
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/advice"
	"github.com/carryover-go/carryover/modules/distiller/extract/checks"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
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
//   - What came of it is judged by evidence: commits, changed files, checks, the
//     question it ended with, how the turn ended.

// Relation is how a request follows from the one before.
type Relation string

// The ways a request can follow.
const (
	Begins    Relation = "new"
	Continues Relation = "continues"
	Answers   Relation = "answers"
	Corrects  Relation = "corrects"
)

// Request is one thing the person asked for, and what was done for it.
type Request struct {
	dialogue.Wording
	By       string // who worded it, where the person did not
	Source   distiller.Source
	Seq      int
	At       time.Time
	topic    int
	Relation Relation
	Thin     bool // cannot stand without the request before it
	Asks     bool // it is a question

	answered *dialogue.Question // what it answers
	picked   []distiller.Option
	pointed  []distiller.Option // entries of the reply before it that it names by number
	failure  string             // what ended it, where that was an error
	Moved    []Quote            // nudges that came while it was worked on

	Calls       int
	acted       bool // it had a call that did more than look
	LastCall    int  // event of the newest call
	Changed     []string
	made        []string // of these, the ones that were written as a whole first
	elsewhere   []string // files written outside the project
	wroteAt     int      // event of the newest of these
	takenBack   int      // commits that were made for it and undone; takenByUser says by whom
	takenByUser bool
	undoneAt    int // event with which the person took commits back
	checked     checks.Results
	edited      int // event of its newest change
	Commits     []string
	inCommit    int // files in the newest commit, as git counted them, and its event
	committedAt int
	Pushed      bool
	deeds       []deed // done on a forge
	Undelivered Quote  // the newest command that was to commit, push or do something on a forge, where it failed

	Waits      *dialogue.Question // what its last reply asks
	Remarks    []Remark           // what the agent concluded, oldest first
	Advice     advice.Advice      // what it leaves to others
	Stated     Quote              // what the closing reply says comes next
	Intent     Quote              // what the agent was about to do
	Resumed    bool               // a nudge came in the middle of it: what was announced before still holds
	torn       bool               // the agent was in the middle of it when the next one came
	Spoke      bool               // the newest event of the agent is a reply
	Because    string             // the sentence before the intent
	several    bool               // the intent is a list
	Pleasantry bool               // the intent is "Good catch." or the like, and tells of no step by itself
	Announced  bool               // the intent is what the agent said it would do, and not merely what it said last
	Reports    bool               // the newest reply is as long as a report, and announces nothing
	final      bool               // its tool said that the newest reply ends a turn
	ReplyAt    int
	judged     bool   // a check gave its result since it announced something
	Proved     int    // event of the newest check that passed after an edit that followed what was announced
	Ended      string // how the last turn ended, "" while it goes on
	Refused    *Refusal
	Fresh      bool  // the agent knew nothing of those before it
	Redirected Quote // what the person wants instead of the plan they refused
	Chosen     Quote // what the person chose of what an asking tool offered, with the question
}

// Refusal is that the person turned the newest call down; no other has followed.
type Refusal struct {
	What   string // the call
	Said   string // with what words, "" without
	Source distiller.Source
}

// Bounds of what a session remembers of its requests.
const (
	maxRequests = 60
	MaxChanged  = 40
	maxMoved    = 6
	maxVocab    = 2000 // words of the topic
	LongRequest = 7    // words of content with which a request can begin a topic
	pause       = 6 * time.Hour
)

// Quote is something said, with its place.
type Quote struct {
	Text   string
	Source distiller.Source
	Seq    int
}

// OwnWords says whether a prompt was written by the person.
func OwnWords(e *transcript.Located) bool {
	return e.Origin == transcript.Typed || e.Origin == transcript.Queued
}

// ChecksOnly says that what was announced was a check, by what was done since: one has
// its result, and nothing was edited.
func (r *Request) ChecksOnly(lastEdit int) bool {
	return r.judged && !r.several && lastEdit < r.Intent.Seq
}

// Said is a request in words: what was pasted with it is named.
func (r *Request) Said() string {
	switch {
	case r.Words == "":
		return "the user pasted: " + r.Pasted + " (find out why)"
	case r.Pasted != "":
		return r.Words + " (and pasted: " + prose.Clip(r.Pasted, maxPasted) + ")"
	}
	var entries []string
	for _, o := range r.pointed {
		entries = append(entries, o.Label+": "+o.Text)
	}
	if len(entries) > 0 {
		return r.Words + " (" + prose.Clip(strings.Join(entries, "; "), maxPointed) + ")"
	}
	return r.Words
}

// To is what a request answers: the options it names, else the question with what it
// is about; "" where it answers none.
func (r *Request) To() string {
	if r.answered == nil {
		return ""
	}
	picked := strings.Join(dialogue.Labelled(r.picked...), "; ")
	return prose.Clip(prose.Fallback(picked, strings.TrimSpace(r.answered.Context+" "+r.answered.Text)), maxPointed)
}

// maxPointed bounds what is shown of the entries that a request points at, in runes.
const maxPointed = 240

// maxPasted bounds what is shown of pasted output, in runes.
const maxPasted = 140

// questionOf reads what an event asks, nil for nothing.
func questionOf(e *Event) *dialogue.Question {
	var a *dialogue.Question
	switch {
	case e.Kind == transcript.Question && e.Decision != nil && e.Decision.Question != "":
		a = dialogue.QuestionOfTool(e.Decision)
	case e.Kind == transcript.Reply:
		a = dialogue.ReadQuestion(e.Text, e.Lexicon)
	}
	if a != nil {
		a.Source, a.Seq = e.Source, e.Seq
	}
	return a
}

// changedFiles is how many files were changed for the request: as many as its only commit
// holds, where git said so and nothing was changed since.
func (r *Request) changedFiles() int {
	if len(r.Commits) == 1 && r.committedAt > r.edited && len(r.Changed) > 0 {
		return max(r.inCommit, len(r.Changed))
	}
	return len(r.Changed)
}
