package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The task is the request that is being worked on, in the person's words. A
// request too thin to stand alone ("which commit?", "option 2") is told with the
// one it goes on from; the goal is the request the topic began with. A new topic
// has no goal: what was wanted before it is over.
type taskRules struct {
	goal *ask // tracked by the tool
}

// ask is something said, with its place.
type ask struct {
	text string
	src  distiller.Source
	seq  int
}

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

// ownWords says whether a prompt was written by the person.
func ownWords(e *transcript.Located) bool {
	return e.Origin == transcript.Typed || e.Origin == transcript.Queued
}

func (t *taskRules) add(e *event) {
	if e.Subagent || e.Kind != transcript.Goal {
		return
	}
	state := ""
	if len(e.Items) > 0 {
		state = e.Items[0].State
	}
	if state == "done" || e.Text == "" {
		t.goal = nil
		return
	}
	t.goal = &ask{text: clip(oneLine(e.Text), maxWords), src: e.src}
}

// fact is the task, nil when nobody asked for anything.
func (t *taskRules) fact(s *State) *distiller.Task {
	now := s.requests.now()
	if now == nil {
		return t.withoutRequest(s)
	}
	head := s.requests.head()
	out := &distiller.Task{Text: head.said(), By: head.by, Source: head.src}
	switch {
	case head != now:
		out.Now, out.Source = now.said(), now.src
	case len(now.moved) > 0 && utf8.RuneCountInString(now.moved[len(now.moved)-1].text) > 12:
		out.Now = now.moved[len(now.moved)-1].text
	}
	out.Goal = t.goalAbove(s, head)
	if before := s.requests.before(head, s.lex); before != nil && !sameRequest(before.words, out.Goal) && !sameRequest(before.words, out.Text) {
		out.Before = before.words
	}
	return out
}

// before is the last request of the topic before one that says much or made
// the agent work much, nil for none but the first.
func (t *timeline) before(head *request, lex *words.Lexicon) *request {
	chain := t.chain()
	for i := slices.Index(chain, head) - 1; i > 0; i-- {
		if r := chain[i]; !r.thin && r.words != "" && (lex.Weight(r.words) >= longRequest || len(r.changed) > 0 || r.calls > weightyCalls) {
			return r
		}
	}
	return nil
}

// weightyCalls is how many calls make a short request a weighty one.
const weightyCalls = 8

// said is a request in words: what was pasted with it is named.
func (r *request) said() string {
	switch {
	case r.words == "":
		return "the user pasted: " + r.pasted + " (find out why)"
	case r.pasted != "":
		return r.words + " (and pasted the output of " + pastedOf(r.pasted) + ")"
	}
	return r.words
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
		if r := chain[i]; r.by == "" && chain[i-1].by != "" || !r.thin && (r.relation != answers || len(strings.Fields(r.words)) > 14) {
			return r
		}
	}
	return chain[0]
}

// goalAbove is what the task is part of, when it says something else.
func (t *taskRules) goalAbove(s *State, head *request) string {
	if t.goal != nil && !sameRequest(t.goal.text, head.words) {
		return t.goal.text
	}
	chain := s.requests.chain()
	for len(chain) > 1 && chain[0].bare && chain[0] != head {
		chain = chain[1:] // it says how to go about it, not what is wanted
	}
	if first := chain[0]; first != head && first.words != "" && !sameRequest(first.words, head.words) {
		return first.words
	}
	prior := s.requests.prior
	if prior == nil || chain[0].relation == begins {
		return ""
	}
	for _, text := range []string{prior.Goal, prior.Text} {
		if text != "" && !sameRequest(text, head.words) {
			return text
		}
	}
	return ""
}

// sameRequest says that one text repeats the other.
func sameRequest(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

// withoutRequest is what a session is about in which nobody asked for anything:
// the goal its tool tracks, what it was given, its title.
func (t *taskRules) withoutRequest(s *State) *distiller.Task {
	switch {
	case t.goal != nil:
		return &distiller.Task{Text: t.goal.text, Source: t.goal.src}
	case s.requests.prior != nil:
		task := *s.requests.prior
		return &task
	case s.title != "":
		return &distiller.Task{Text: s.title}
	case s.requests.first != nil && s.calls > 0:
		return &distiller.Task{Text: s.requests.first.text, Source: s.requests.first.src}
	}
	return nil
}
