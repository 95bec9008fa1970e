package extract

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The task is the last substantive request of the person; the goal is the
// first one, or the one the tool tracks, when it says something else.
//
//   - Only prompts that were typed or queued count, and slash commands by
//     their arguments. Subagents never set the task.
//   - A nudge ("yes", "weiter", "계속") leaves the task as it is.
//   - Of a long paste the human sentences count; a paste without any is told
//     in words after the last worded request.
//   - A request that was interrupted before the agent did anything, and that
//     has no more than two words, was a slip of the fingers.
//   - With no request at all: the tracked goal, the predecessor's task, the
//     title, the first thing said.
type taskRules struct {
	prior   *distiller.Task
	first   *ask
	last    *ask
	before  *ask   // the one before last, for a slip that is taken back
	paste   *ask   // a paste without words after last
	nudge   *ask   // the first nudge, as a last resort
	goal    *ask   // tracked by the tool
	acted   bool   // the agent did something since last
	replied string // first sentence of the first reply
	reply   distiller.Source
}

// ask is a request with its place.
type ask struct {
	text string
	src  distiller.Source
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

// opensTurn says whether a prompt is one to count turns by.
func (t *taskRules) opensTurn(e *event) bool {
	return e.req.words != "" || e.req.pasted != ""
}

func (t *taskRules) add(e *event) {
	if e.Subagent {
		return
	}
	switch e.Kind {
	case transcript.Prompt:
		if e.req.slash || ownWords(e.Located) {
			t.prompt(e)
		}
	case transcript.Goal:
		t.tracked(e)
	case transcript.Reply:
		t.acted = true
		if t.replied == "" {
			if len(e.said) > 0 {
				t.replied, t.reply = e.said[0].text, e.src
			}
		}
	case transcript.Call:
		t.acted = true
	case transcript.Turn:
		if e.Text == transcript.TurnInterrupted {
			t.takeBack()
		}
	}
}

func (t *taskRules) prompt(e *event) {
	words := e.req.words
	if words == "" && e.req.pasted != "" {
		t.paste = &ask{text: e.req.pasted, src: e.src}
		t.acted = false
		return
	}
	if words == "" {
		return
	}
	a := &ask{text: words, src: e.src}
	if isNudge(words) {
		if t.nudge == nil {
			t.nudge = a
		}
		return
	}
	if e.req.pasted != "" && len(words) < 200 {
		t.paste = &ask{text: e.req.pasted, src: e.src}
	} else {
		t.paste = nil
	}
	if t.first == nil {
		t.first = a
	}
	t.before, t.last, t.acted = t.last, a, false
}

// takeBack drops a slip: a word or two, interrupted before anything happened.
func (t *taskRules) takeBack() {
	if t.last != nil && t.before != nil && !t.acted && len(strings.Fields(t.last.text)) <= 2 {
		t.last = t.before
	}
}

func (t *taskRules) tracked(e *event) {
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

// fact is the task, nil only when nothing at all happened.
func (t *taskRules) fact(s *State) *distiller.Task {
	if t.last == nil && t.paste == nil {
		return t.lastResort(s)
	}
	out := &distiller.Task{}
	if t.last != nil {
		out.Text, out.Source = t.last.text, t.last.src
	}
	if t.paste != nil {
		// Of output that came with a request only what it is of is named here;
		// what it shows stands under failures.
		if out.Text == "" {
			out.Text, out.Source = "the user pasted: "+t.paste.text+" (find out why)", t.paste.src
		} else {
			out.Text += " (and pasted the output of " + pastedOf(t.paste.text) + ")"
		}
	}
	out.Goal = t.goalAbove(out.Text)
	return out
}

// goalAbove is the request above the last one, when it says something else.
func (t *taskRules) goalAbove(task string) string {
	switch {
	case t.goal != nil && !sameRequest(t.goal.text, task):
		return t.goal.text
	case t.first != nil && t.first != t.last && !sameRequest(t.first.text, task):
		return t.first.text
	case t.prior != nil && t.prior.Goal != "" && !sameRequest(t.prior.Goal, task):
		return t.prior.Goal
	case t.prior != nil && !sameRequest(t.prior.Text, task):
		return t.prior.Text
	}
	return ""
}

// sameRequest says that one text repeats the other.
func sameRequest(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return strings.Contains(a, b) || strings.Contains(b, a)
}

func (t *taskRules) lastResort(s *State) *distiller.Task {
	text, by, src, given := s.recaps.task()
	switch {
	case t.goal != nil:
		return &distiller.Task{Text: t.goal.text, Source: t.goal.src}
	case given:
		return &distiller.Task{Text: text, By: by, Source: src}
	case t.prior != nil:
		task := *t.prior
		return &task
	case s.title != "":
		return &distiller.Task{Text: s.title}
	case t.replied != "":
		return &distiller.Task{Text: "no request was recorded; the agent began with: " + clip(t.replied, 200), Source: t.reply}
	case t.nudge != nil:
		return &distiller.Task{Text: "no request was recorded beyond " + `"` + clip(t.nudge.text, 60) + `"`, Source: t.nudge.src}
	case s.calls > 0:
		return &distiller.Task{Text: "no request was recorded"}
	}
	return nil
}
