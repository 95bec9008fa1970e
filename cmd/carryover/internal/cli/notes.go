package cli

import (
	"time"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

// PrintAgentNotes prints the notes of a named agent.
func PrintAgentNotes(a *App, state ledger.AgentLedger) {
	a.Print("%s (%s), %s", state.AgentName, state.CLI, state.UpdatedAt.UTC().Format(time.RFC3339))
	if state.CurrentTask != "" {
		a.Print("task       %s", state.CurrentTask)
	}
	for _, list := range []struct {
		name  string
		lines []string
	}{
		{"done", state.Completed},
		{"doing", state.InProgress},
		{"blocked", state.Blocked},
		{"next", state.NextSteps},
		{"decided", continuity.DecisionLines(state.KeyDecisions)},
		{"uncertain", state.UncertainItems},
		{"files", continuity.FileLines(state.FileContext)},
		{"notes", state.Notes},
	} {
		for _, line := range list.lines {
			a.Print("%-9s  %s", list.name, line)
		}
	}
}
