package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/internal/width"
)

// taskLines say whose turn it is, then the task in the user's words.
func taskLines(f distiller.Facts) []line {
	out := subagentLines(f)
	if f.Turn != nil {
		out = append(out, line{text: "Turn: " + clean(f.Turn.Text), source: f.Turn.Source})
	}
	if f.Task == nil {
		return append(out, line{text: "No request is recorded."})
	}
	add := func(head, text string, n int) {
		if text == "" {
			return
		}
		for _, l := range width.Wrap(head+quote(text), maxWidth, n) {
			out = append(out, line{text: l, source: f.Task.Source, quoted: text == f.Task.Text})
		}
	}
	// What was said last stands first, then what it goes on from, unless it is a nudge.
	head := wordedBy(f.Task.By)
	if f.Task.Nudge {
		add(head, f.Task.Text, 3)
	}
	if now := "Now: " + quote(f.Task.Now) + ", to: "; f.Task.NowTo != "" && utf8.RuneCountInString(now) < maxWidth/2 {
		out = append(out, line{text: width.Truncate(now+clean(f.Task.NowTo), maxWidth), source: f.Task.Source})
	} else {
		add("Now: ", f.Task.Now, 2) // long words say for themselves what they answer
	}
	if head == "" && f.Task.Now != "" {
		head = "Goes on from: "
	}
	if !f.Task.Nudge {
		add(head, f.Task.Text, 3)
	}
	add("Before"+cameOf(f, f.Task.Before, f.Task.BeforeOutcome), width.Truncate(f.Task.Before, 220), 1)
	goal := "Goal" + cameOf(f, f.Task.Goal, f.Task.GoalOutcome)
	add(goal+goalBy(f.Task.GoalBy), f.Task.Goal, 2)
	return out
}

// cameOf says what came of a request behind the label it stands under, unless Progress says it.
func cameOf(f distiller.Facts, request, outcome string) string {
	if outcome == "" || slices.ContainsFunc(f.Requests, func(r distiller.Request) bool { return r.Near && r.Text == request }) {
		return ": "
	}
	return " (" + width.Truncate(clean(outcome), maxOutcome) + "): "
}

// maxOutcome is how much is shown of what came of the goal, in runes.
const maxOutcome = 90

// progressLines tell the current request with what the agent concluded, what
// is being done and open, the requests before it, and what is done.
func progressLines(f distiller.Facts) []line {
	var out []line
	n := len(f.Requests)
	var said []line
	if n > 0 {
		now := requestLines(f.Requests[n-1])
		if out = now; f.Turn != nil && f.Turn.Who == "agent" { // its list says where it is, in fewer words
			out, said = slices.Clone(now[:1]), now[1:]
		}
	}
	out = append(append(out, steps(f, "doing", "blocked", "todo")...), said...)
	for i := n - 2; i >= 0; i-- {
		if f.Requests[i].Near {
			out = append(out, requestLines(f.Requests[i])...)
		}
	}
	out = append(out, steps(f, "done")...)
	before := slices.DeleteFunc(slices.Clone(f.Requests[:max(0, n-1)]), func(r distiller.Request) bool { return r.Near })
	return append(append(out, named("before: ", before)...), named("other work before: ", f.Earlier)...)
}

// named tells requests only by name and outcome, newest first; what was asked again
// and again to the same end is listed once.
func named(label string, list []distiller.Request) []line {
	var out []line
	times := map[string]int{}
	for _, r := range list {
		times[r.Text+r.Outcome]++
	}
	for _, r := range slices.Backward(list) {
		n := times[r.Text+r.Outcome]
		if n == 0 {
			continue
		}
		times[r.Text+r.Outcome] = 0
		outcome := clean(r.Outcome)
		if n > 1 {
			outcome += fmt.Sprintf(" (%d times)", n)
		}
		out = append(out, grouped(label, width.Truncate(quote(r.Text), 110)+" → "+outcome, "", r.Source))
	}
	return out
}

// grouped is an entry that shares a line with those of its label and key.
func grouped(label, text, key string, source distiller.Source) line {
	l := entry(label, text, source)
	l.group = label + key
	return l
}

// requestLines are one request with its outcome, and what concludes it.
func requestLines(r distiller.Request) []line {
	out := []line{entry("", width.Truncate(quote(r.Text), 150)+" → "+clean(r.Outcome), r.Source)}
	if r.ActedOn {
		return append(out, flow("- agent, acted on since:", r.Concluded)...)
	}
	if r.Overtaken { // what it found may be so no more
		return append(out, flow("- agent, before later edits:", r.Concluded)...)
	}
	return append(out, flow("- agent:", r.Concluded)...)
}

// steps are the steps in the states given, in that order; what is done comes
// newest first.
func steps(f distiller.Facts, states ...string) []line {
	var out []line
	for _, state := range states {
		for i := range f.Progress {
			p := f.Progress[i]
			if state == "done" {
				p = f.Progress[len(f.Progress)-1-i]
			}
			if p.State != state {
				continue
			}
			label := state + ": "
			if state == "done" && p.Evidence == distiller.Said {
				label = "done (agent says): "
			}
			if p.Outdated > 0 {
				label = fmt.Sprintf("listed as %s %d edits ago: ", state, p.Outdated)
			}
			if p.Touched {
				label = "listed as " + state + ", worked on since: "
			}
			out = append(out, grouped(label, clean(p.Text), "", p.Source))
		}
	}
	return out
}

// nextLines are the next action and, where it is an answer, what it chooses
// from.
func nextLines(f distiller.Facts) []line {
	if f.Next == nil {
		return nil
	}
	out := []line{{text: clean(f.Next.Text), source: f.Next.Source}}
	if f.Turn == nil {
		return out
	}
	if f.Turn.Since != "" {
		out = append(out, line{text: clean(f.Turn.Since), source: f.Turn.Source})
	}
	for _, last := range lastSteps(f.Turn.Last) {
		out = append(out, line{text: last, source: f.Turn.Source})
	}
	if f.Turn.Asked == nil {
		return out
	}
	asked := f.Turn.Asked
	if asked.Context != "" {
		out = append(out, line{text: "About: " + clean(asked.Context), source: asked.Source})
	}
	var options []string
	for _, o := range asked.Options {
		text := clean(o.Label) + ") " + clean(o.Text)
		if o.Recommended {
			text += " (recommended)"
		}
		options = append(options, text)
	}
	if len(options) > 0 {
		head := "Options: "
		if asked.Listed {
			head = "About: "
		}
		for _, l := range width.Wrap(head+strings.Join(options, "; "), maxWidth, 4) {
			out = append(out, line{text: l, source: asked.Source})
		}
	}
	return out
}

// elided shortens a text in its middle: a command ends with what it is about.
func elided(s string, n int) string {
	letters := []rune(s)
	if len(letters) <= n {
		return s
	}
	return string(letters[:n/3]) + "…" + string(letters[len(letters)-n*2/3:])
}

// lastSteps are the last calls with what came of them, on two lines at most.
func lastSteps(list []distiller.Step) []string {
	var out []string
	for _, step := range list {
		text := code(elided(step.What, 70), 80) + " " + fallback(clean(step.Outcome), "no result yet")
		if said := step.Error + step.Said; said != "" {
			text += ": " + code(said, 60)
		}
		switch n := len(out); {
		case n == 0:
			out = append(out, "Just before: "+text)
		case n == 1 && utf8.RuneCountInString(out[0]+text) > maxWidth-2:
			out = append(out, text)
		default:
			out[n-1] += "; " + text
		}
	}
	return out
}
