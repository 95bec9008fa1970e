package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// The task is the request that is being worked on, in the person's words. A
// request too thin to stand alone ("which commit?", "option 2") is given with the
// one it goes on from; the goal is the request the topic began with. A new topic
// has no goal: what was wanted before it is over.
type taskRules struct {
	goal *timeline.Quote // tracked by the tool
}

func (t *taskRules) Add(e *timeline.Event) {
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
	t.goal = &timeline.Quote{Text: prose.Clip(prose.OneLine(e.Text), dialogue.MaxWords), Source: e.Source}
}

// fact is the task, nil when nobody asked for anything.
func (t *taskRules) fact(requests *timeline.Timeline, lex *words.Lexicon, title string, calls int) *distiller.Task {
	now := requests.Now()
	if now == nil {
		return t.withoutRequest(requests, title, calls)
	}
	head := requests.Head()
	out := &distiller.Task{Text: head.Said(), By: head.By, Source: head.Source}
	if head == now || now.Thin {
		out.Parts = head.Parts
	}
	switch {
	case head != now:
		out.Now, out.NowTo, out.Source = now.Said(), now.To(), now.Source
	case now.Redirected.Text != "":
		out.Now, out.Source = now.Redirected.Text, now.Redirected.Source
	case len(now.Moved) > 0 && requests.Agreed != nil && (len(requests.AgreedTo) > 0 || dialogue.IsConsent(now.Moved[len(now.Moved)-1].Text, lex)):
		out.Now, out.NowTo, out.Nudge = now.Moved[len(now.Moved)-1].Text, agreedTo(requests), true
	case len(now.Moved) > 0 && utf8.RuneCountInString(now.Moved[len(now.Moved)-1].Text) > 12:
		out.Now, out.Nudge = now.Moved[len(now.Moved)-1].Text, true
	}
	out.Goal, out.GoalBy = t.goalAbove(requests, head, lex)
	chain := requests.Chain()
	if at := slices.IndexFunc(chain, func(r *timeline.Request) bool { return r.Words == out.Goal }); out.Goal != "" && at >= 0 {
		if outcome, evidence := chain[at].Outcome(timeline.Standing{Edited: requests.LastEdit}); evidence == distiller.Proved {
			out.GoalOutcome = outcome
		}
	}
	if before := requests.Before(head, lex); before != nil && !says(before.Words, out.Goal, lex) && !says(before.Words, out.Text, lex) {
		out.Before = before.Words
		if outcome, evidence := before.Outcome(timeline.Standing{Edited: requests.LastEdit}); evidence == distiller.Proved {
			out.BeforeOutcome = outcome
		}
	}
	return out
}

// agreedTo is what the newest prompt said yes to: the options it picked, else the question with
// what it is about.
func agreedTo(requests *timeline.Timeline) string {
	picked := strings.Join(dialogue.Labelled(requests.AgreedTo...), "; ")
	return prose.Clip(prose.Fallback(picked, requests.Agreed.About()), maxAgreed)
}

// maxAgreed is how much of it is shown, in runes.
const maxAgreed = 240

// goalAbove is what the task is part of, when it says something else, and who
// words it: the goal its tool tracks, what the tool's summary of the topic says,
// the request the topic began with.
func (t *taskRules) goalAbove(requests *timeline.Timeline, head *timeline.Request, lex *words.Lexicon) (goal, by string) {
	if t.goal != nil && !says(t.goal.Text, head.Words, lex) {
		return t.goal.Text, ""
	}
	chain := requests.Chain()
	chain = unbroken(chain, slices.Index(chain, head)+1)
	for len(chain) > 1 && chain[0].Bare && chain[0] != head {
		chain = chain[1:] // it says how to go about it, not what is wanted
	}
	if first := chain[0]; first != head && first.Words != "" && !says(first.Words, head.Words, lex) {
		if requests.Aim.Seq > first.Seq {
			return requests.Aim.Text, distiller.BySummary
		}
		return first.Words, first.By
	}
	prior := requests.Prior
	if prior == nil || chain[0].Relation == timeline.Begins {
		return "", ""
	}
	for _, text := range []string{prior.Goal, prior.Text} {
		if text != "" && !says(text, head.Words, lex) {
			return text, ""
		}
	}
	return "", ""
}

// unbroken are the first n requests of a chain from the one on that what is worked on goes back to.
// Where the agent was restarted in between, what was wanted before is over, unless files that were
// changed for it are changed still; nor does a question that was only answered begin what comes then.
func unbroken(chain []*timeline.Request, n int) []*timeline.Request {
	var changed []string
	for i := n - 1; i > 0; i-- {
		if changed = append(changed, chain[i].Changed...); chain[i].Fresh && !slices.ContainsFunc(chain[:i], func(r *timeline.Request) bool { return sharesAny(r.Changed, changed) }) {
			chain, n = chain[i:], n-i
			for n > 1 && !chain[0].Did() {
				chain, n = chain[1:], n-1
			}
			break
		}
	}
	return chain[:n]
}

func sharesAny(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// withoutRequest is what a session is about in which nobody asked for anything:
// the goal its tool tracks, what it was given, its title.
func (t *taskRules) withoutRequest(requests *timeline.Timeline, title string, calls int) *distiller.Task {
	switch {
	case t.goal != nil:
		return &distiller.Task{Text: t.goal.Text, Source: t.goal.Source}
	case requests.Prior != nil:
		task := *requests.Prior
		return &task
	case title != "":
		return &distiller.Task{Text: title}
	case requests.First != nil && calls > 0:
		return &distiller.Task{Text: requests.First.Text, Source: requests.First.Source}
	}
	return nil
}
