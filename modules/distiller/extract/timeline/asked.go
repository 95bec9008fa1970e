package timeline

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/dialogue"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/words"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// What the agent asks, and what becomes of it.

// ask notes a question of the agent. Asked again, in whatever words, it stands once.
func (t *Timeline) ask(a *dialogue.Question, lex *words.Lexicon) {
	t.Unanswered = slices.DeleteFunc(slices.Clone(t.Unanswered), func(u *dialogue.Question) bool { return a.Repeats(u, lex) })
	if t.Asked != nil && a.CallID != "" && t.Asked.CallID == a.CallID { // several questions of one call
		t.Unanswered = bounded.Limit(append(t.Unanswered, t.Asked), 4)
	}
	t.Asked = a
	if now := t.Now(); now != nil {
		now.Waits = a
	}
}

// decided removes the answered questions of an asking tool.
func (t *Timeline) decided(e *Event) {
	if e.Decision == nil || len(e.Decision.Chosen) == 0 {
		return
	}
	t.Planning = t.Planning && e.Decision.Kind != transcript.DecisionPlan
	answered := func(a *dialogue.Question) bool {
		return a != nil && a.CallID != "" && (a.CallID == e.Decision.CallID && e.Decision.Question == "" || strings.EqualFold(a.Text, prose.Clip(prose.OneLine(e.Decision.Question), dialogue.MaxQuestion)))
	}
	if answered(t.Asked) {
		t.Asked = nil
	}
	t.Unanswered = slices.DeleteFunc(slices.Clone(t.Unanswered), answered)
	now := t.Now()
	if now == nil {
		return
	}
	if answered(now.Waits) {
		now.Waits = nil
	}
	if e.Decision.Kind == transcript.DecisionAsked && e.Decision.Question != "" {
		now.chose(e)
	}
}

// Declined is what an asking tool put to the person that they turned down, nil for nothing and once
// they spoke.
func Declined(t *Timeline) *dialogue.Question {
	if t.Asked == nil || t.Asked.CallID == "" || !t.declined {
		return nil
	}
	return t.Asked
}
