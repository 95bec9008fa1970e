package wrap

import (
	"fmt"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/terminal"
	"github.com/carryover-go/carryover/modules/ledger"
)

// What is kept of a run that saved nothing itself.
const (
	shownRows  = 20
	shownRow   = 200 // bytes
	shownFiles = 20
)

// shown is what a run that saved nothing itself left: the last screen, how it ended, and
// the files that changed while it ran; nil when there is nothing of it.
func (w *Wrapper) shown(ended *run, exit terminal.Exit) *ledger.AgentLedger {
	rows, _ := ended.session.Screen().Rows()
	var lines []string
	for _, row := range rows {
		if text := strings.TrimSpace(row.Text); text != "" {
			lines = append(lines, text[:min(len(text), shownRow)])
		}
	}
	var changed []ledger.FileRange
	if checkout := gitrepo.Look(w.Directory); checkout.Found {
		for _, file := range checkout.ChangedSince(ended.started, shownFiles) {
			changed = append(changed, ledger.FileRange{Path: file})
		}
	}
	if len(lines) == 0 && len(changed) == 0 {
		return nil
	}
	note := fmt.Sprintf("%s(exit status %d) the terminal showed: %s", continuity.ShownPrefix, exit.Status, strings.Join(lines[max(0, len(lines)-shownRows):], " ⏎ "))
	return &ledger.AgentLedger{Notes: []string{strings.ToValidUTF8(note, "")}, FileContext: changed}
}
