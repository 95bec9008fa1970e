package extract

import (
	"fmt"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// turnFact says whose turn it is: the person's, when the agent ended by asking
// or has nothing left to do; the agent's, when a request is not begun or was
// left in the middle.
func (s *State) turnFact() *distiller.Turn {
	now := s.requests.Now()
	if now == nil {
		return nil
	}
	if a := timeline.Declined(&s.requests); a != nil {
		return &distiller.Turn{Who: "user", Text: "the user turned the question down, and has not said what instead: " + a.Text, Source: a.Source}
	}
	if a := s.waitsFor(now); a != nil {
		fact := a.Fact()
		return &distiller.Turn{Who: "user", Text: "waits for the user: " + a.Text, Asked: &fact, Source: a.Source}
	}
	stopped := func(who, text string, source distiller.Source) *distiller.Turn {
		return &distiller.Turn{Who: who, Text: text, Last: s.trail.Last(shownSteps), Since: s.since.Text(), Source: source}
	}
	switch {
	case now.Undone(s.requests.LastEdit):
		return &distiller.Turn{Who: "user", Text: "the user took the last change back", Source: now.Source}
	case now.Refused != nil && !now.Spoke:
		return stopped("user", refusedText(now.Refused), now.Refused.Source)
	case now.Ended == transcript.TurnInterrupted:
		return stopped("user", "interrupted by the user", now.Source)
	case now.Ended == transcript.TurnFailed && !now.Spoke:
		return stopped("agent", now.StoppedBy(), now.Source)
	case !now.Spoke && !now.Resumed && (now.Calls == 0 || now.LastCall < s.requests.PromptAt):
		return &distiller.Turn{Who: "agent", Text: "the last request is not begun", Source: now.Source}
	case s.midway(now):
		text := "stopped in the middle of the request"
		if c := s.open.Waiting(); c != nil && !c.Before(s.requests.RepliedAt()) { // else the agent has gone on without it
			text = "stopped in the middle of: " + prose.Code(c.What(), 140)
		}
		return stopped("agent", text, now.Source)
	}
	if what := awaited(s, now); what != "" {
		return &distiller.Turn{Who: "user", Text: "the agent waits for what it asked for: " + what, Source: now.Source}
	}
	text := nothingWaits
	if offer := s.requests.Asked; offer != nil && offer.Optional {
		text = "the agent has answered and offers: " + offer.Text
	}
	switch {
	case now.Stated.Text != "":
		text = "the agent has answered and named a next step"
	case text != nothingWaits:
	case now.Refused != nil:
		text = "the agent has answered; before it " + refusedText(now.Refused)
	case s.requests.Planned:
		text = "the agent has answered with a plan; nothing is changed before the user agrees to it"
	case now.Undelivered.Text != "":
		text = "the agent has answered; not done: " + prose.Code(now.Undelivered.Text, 100) + " failed"
	case s.verify.waiting(s.turn, true):
		return &distiller.Turn{Who: "agent", Text: "the agent waits for work in the background", Source: now.Source}
	case s.unanswered() != nil:
		text = "the agent has answered; what it asked before is not answered"
	case s.progress.left(&s.requests) > 0:
		text = fmt.Sprintf("the agent has answered; %d of %d steps of its list are left", s.progress.left(&s.requests), len(s.progress.items))
	}
	return &distiller.Turn{Who: "done", Text: text, Source: now.Source}
}

// whilePlanning is a turn in which the agent was to change nothing, where it was.
func whilePlanning(turn *distiller.Turn, planning bool) *distiller.Turn {
	if turn != nil && planning {
		turn.Text += "; in plan mode: nothing is changed before the user agrees to a plan"
	}
	return turn
}

// refusedText tells of a call that the person turned down.
func refusedText(r *timeline.Refusal) string {
	text := "the user refused " + prose.Code(r.What, 100)
	if r.Said != "" {
		text += ` and said: "` + prose.Clip(r.Said, 160) + `"`
	}
	return text
}

// midway says that the agent had not finished: its newest event is a call, it
// announced another step, or its tool marks the ends of turns, or keeps a list with a
// step that is being done, and there is neither an end nor a reply that reads like one.
// A turn whose end comes behind calls has done what it announced.
func (s *State) midway(now *timeline.Request) bool {
	if now.Ended == transcript.TurnCompleted && now.LastCall > now.ReplyAt {
		return false
	}
	if !now.Spoke || s.announces(now) {
		return true
	}
	return now.Ended == "" && !now.Reports && (s.requests.MarksTurns || s.progress.doing(now))
}

// shownSteps is how many of the newest calls are shown.
const shownSteps = 3

// waitsFor is the question that waits for the person, nil for none.
func (s *State) waitsFor(now *timeline.Request) *dialogue.Question {
	a := now.Waits
	if a != s.requests.Asked || !a.Waits(s.lex) || !now.Spoke && a.CallID == "" {
		return nil
	}
	return a
}

// awaited is what the agent ended by asking the person for, where nothing was done for the request and it
// is not at it any more: it can't go on without.
func awaited(s *State, now *timeline.Request) string {
	if now.Did() || s.midway(now) {
		return ""
	}
	return s.actions.Awaits(now.ReplyAt)
}

// nothingWaits is how a turn has ended that leaves nothing to anybody.
const nothingWaits = "the agent has answered; nothing waits"
