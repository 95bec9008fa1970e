package extract

import (
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
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

func (t *taskRules) Add(e *event) {
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
	t.goal = &ask{text: prose.Clip(prose.OneLine(e.Text), dialogue.MaxWords), src: e.src}
}

// fact is the task, nil when nobody asked for anything.
func (t *taskRules) fact(requests *timeline, lex *words.Lexicon, title string, calls int) *distiller.Task {
	now := requests.now()
	if now == nil {
		return t.withoutRequest(requests, title, calls)
	}
	head := requests.head()
	out := &distiller.Task{Text: head.said(), By: head.by, Source: head.src}
	switch {
	case head != now:
		out.Now, out.Source = now.said(), now.src
	case len(now.moved) > 0 && utf8.RuneCountInString(now.moved[len(now.moved)-1].text) > 12:
		out.Now = now.moved[len(now.moved)-1].text
	}
	out.Goal = t.goalAbove(requests, head)
	if before := requests.before(head, lex); before != nil && !prose.SameRequest(before.Words, out.Goal) && !prose.SameRequest(before.Words, out.Text) {
		out.Before = before.Words
	}
	return out
}

// goalAbove is what the task is part of, when it says something else.
func (t *taskRules) goalAbove(requests *timeline, head *request) string {
	if t.goal != nil && !prose.SameRequest(t.goal.text, head.Words) {
		return t.goal.text
	}
	chain := requests.chain()
	for len(chain) > 1 && chain[0].Bare && chain[0] != head {
		chain = chain[1:] // it says how to go about it, not what is wanted
	}
	if first := chain[0]; first != head && first.Words != "" && !prose.SameRequest(first.Words, head.Words) {
		return first.Words
	}
	prior := requests.prior
	if prior == nil || chain[0].relation == begins {
		return ""
	}
	for _, text := range []string{prior.Goal, prior.Text} {
		if text != "" && !prose.SameRequest(text, head.Words) {
			return text
		}
	}
	return ""
}

// withoutRequest is what a session is about in which nobody asked for anything:
// the goal its tool tracks, what it was given, its title.
func (t *taskRules) withoutRequest(requests *timeline, title string, calls int) *distiller.Task {
	switch {
	case t.goal != nil:
		return &distiller.Task{Text: t.goal.text, Source: t.goal.src}
	case requests.prior != nil:
		task := *requests.prior
		return &task
	case title != "":
		return &distiller.Task{Text: title}
	case requests.first != nil && calls > 0:
		return &distiller.Task{Text: requests.first.text, Source: requests.first.src}
	}
	return nil
}
