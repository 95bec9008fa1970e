package extract

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// turnFact says whose turn it is: the person's, when the agent ended by asking
// or has nothing left to do; the agent's, when a request is not begun or was
// left in the middle.
func (s *State) turnFact() *distiller.Turn {
	now := s.requests.now()
	if now == nil {
		return nil
	}
	if a := s.waitsFor(now); a != nil {
		fact := a.Fact()
		return &distiller.Turn{Who: "user", Text: "waits for the user: " + a.Text, Asked: &fact, Source: a.Source}
	}
	switch {
	case now.ended == transcript.TurnInterrupted:
		return &distiller.Turn{Who: "user", Text: "interrupted by the user", Last: s.lastSteps(), Source: now.src}
	case !now.spoke && (now.calls == 0 || now.lastCall < s.requests.promptAt):
		return &distiller.Turn{Who: "agent", Text: "the last request is not begun", Source: now.src}
	case s.midway(now):
		text := "stopped in the middle of the request"
		if c := s.open.waiting(); c != nil {
			text = "stopped in the middle of: `" + prose.Clip(strings.ReplaceAll(c.what(), "`", "'"), 140) + "`"
		}
		return &distiller.Turn{Who: "agent", Text: text, Last: s.lastSteps(), Source: now.src}
	}
	text := "the agent has answered; nothing waits"
	if offer := s.requests.asked; offer != nil && offer.Optional {
		text = "the agent has answered and offers: " + offer.Text
	}
	if now.stated.text != "" {
		text = "the agent has answered and named a next step"
	}
	return &distiller.Turn{Who: "done", Text: text, Source: now.src}
}

// midway says that the agent had not finished: its newest event is a call, it
// announced another step, or its tool marks the ends of turns and this one has
// none.
func (s *State) midway(now *request) bool {
	return !now.spoke || s.announces(now) || s.requests.marksTurns && now.ended == ""
}

// lastSteps are the newest calls, oldest first.
func (s *State) lastSteps() []distiller.Step {
	var out []distiller.Step
	for _, step := range bounded.Limit(s.trail.steps, shownSteps) {
		out = append(out, step.step)
	}
	return out
}

const shownSteps = 3

// waitsFor is the question that waits for the person, nil for none.
func (s *State) waitsFor(now *request) *dialogue.Question {
	a := now.waits
	if a != s.requests.asked || !a.Waits(s.lex) || !now.spoke && a.CallID == "" {
		return nil
	}
	return a
}
