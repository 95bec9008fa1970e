package continuity

import (
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Known is all that may be given to an agent that starts.
type Known struct {
	Ledger    *ledger.AgentLedger  // its own
	Handoff   *ledger.AgentHandoff // its latest
	Learnings []string             // found on its task
	Others    []ledger.AgentHandoff
}

// maxLearnings is how many learnings are given.
const maxLearnings = 5

// StartupContext is what is typed to an agent that starts or asks to load; ""
// when nothing is known.
func StartupContext(name string, known Known, mode render.Mode) (string, error) {
	if known.Ledger == nil && known.Handoff == nil {
		return "", nil
	}
	state, handoff := ledger.AgentLedger{AgentName: name}, ledger.AgentHandoff{}
	if known.Ledger != nil {
		state = *known.Ledger
	}
	if known.Handoff != nil {
		handoff = *known.Handoff
	}
	updated := state.UpdatedAt
	if handoff.CreatedAt.After(updated) {
		updated = handoff.CreatedAt
	}
	var task []string
	for _, text := range []string{state.CurrentTask, handoff.TaskDescription} {
		if text != "" && (len(task) == 0 || !sameText(task[0], text)) {
			task = append(task, text)
		}
	}
	notes := []render.Note{
		{Title: "Task", Lines: task, Weight: 100},
		{Title: "In progress", Lines: state.InProgress, Weight: 70},
		{Title: "Blocked", Lines: state.Blocked, Weight: 65},
		{Title: "Completed", Lines: newestFirst(union(handoff.CompletedWork, state.Completed)), Weight: 60},
		{Title: "Decisions", Lines: newestFirst(DecisionLines(union2(handoff.Decisions, state.KeyDecisions))), Weight: 75},
		{Title: "Open questions", Lines: newestFirst(state.UncertainItems), Weight: 68},
		{Title: "Files", Lines: newestFirst(FileLines(union2(handoff.FileReferences, state.FileContext))), Weight: 50},
		{Title: "Learnings", Lines: known.Learnings[:min(maxLearnings, len(known.Learnings))], Weight: 45},
		{Title: "Notes", Lines: newestFirst(state.Notes), Weight: 30},
		{Title: "Other agents here", Lines: others(known.Others), Weight: 25},
		{Title: "Next steps", Lines: union(state.NextSteps, handoffNext(state, handoff)), Weight: 90},
		{Title: "Full history", Lines: history(name, handoff), Weight: 95},
	}
	from := name
	if state.CLI != "" {
		from += " (" + state.CLI + ")"
	}
	return render.Typed(from, updated, mode, notes, "carryover continuity ledger "+name)
}

// handoffNext are the next steps of a handoff, unless the agent has said others
// since.
func handoffNext(state ledger.AgentLedger, handoff ledger.AgentHandoff) []string {
	if len(state.NextSteps) > 0 {
		return nil
	}
	return without(handoff.NextSteps, state.Completed)
}

func history(name string, handoff ledger.AgentHandoff) []string {
	line := "carryover continuity ledger " + name
	if handoff.ID != "" {
		line += " · handoff " + handoff.ID
	}
	return []string{line}
}

func others(list []ledger.AgentHandoff) []string {
	var lines []string
	for _, h := range list {
		lines = append(lines, fmt.Sprintf("%s: %s (handoff %s)", h.AgentName, h.TaskDescription, h.ID))
	}
	return lines
}

// union2 appends what is only in the second list.
func union2[T any](a, b []T) []T {
	all := append([]T{}, a...)
	seen := map[string]bool{}
	for _, one := range all {
		seen[fmt.Sprint(one)] = true
	}
	for _, one := range b {
		if !seen[fmt.Sprint(one)] {
			all = append(all, one)
		}
	}
	return all
}

// DecisionLines are decisions as people read them, a line each.
func DecisionLines(list []ledger.AgentChose) []string {
	var lines []string
	for _, d := range list {
		text := d.Decision
		if d.Question != "" {
			text = d.Question + " → " + text
		}
		if d.Reasoning != "" {
			text += " — " + d.Reasoning
		}
		if len(d.Alternatives) > 0 {
			text += " (not: " + strings.Join(d.Alternatives, "; ") + ")"
		}
		lines = append(lines, text)
	}
	return lines
}

// FileLines are files as people write them: path:lines.
func FileLines(list []ledger.FileRange) []string {
	var lines []string
	for _, file := range list {
		text := file.Path
		if file.Lines != "" {
			text += ":" + file.Lines
		}
		lines = append(lines, text)
	}
	return lines
}

func newestFirst(list []string) []string {
	reversed := make([]string, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		reversed = append(reversed, list[i])
	}
	return reversed
}

// SearchContext is what is typed for a search: up to ten hits.
func SearchContext(name, query string, hits []string, at time.Time) (string, error) {
	if len(hits) == 0 {
		hits = []string{"nothing found"}
	}
	notes := []render.Note{
		{Title: "Search", Lines: []string{"asked for: " + query}, Weight: 100},
		{Title: "Hits", Lines: hits[:min(10, len(hits))], Weight: 90},
	}
	return render.Typed(name, at, render.Silent, notes, "carryover search")
}

// Framed is a text of somebody else as it is typed to an agent.
func Framed(name, text string, at time.Time) (string, error) {
	return render.Typed(name, at, render.Silent, []render.Note{
		{Title: "Context", Lines: strings.Split(text, "\n"), Weight: 100},
	}, "carryover continuity ledger "+name)
}
