package query

import (
	"time"

	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// liveFor is how long after its last event a session counts as live.
const liveFor = 30 * time.Minute

// live are the sessions at work among those given, the newest first: those with a recent
// event whose tool did not tell of their end.
func live(sessions []ledger.Session, now time.Time, windows *contextusage.Windows, hasEnded func(ledger.SessionKey) bool) []view.LiveSession {
	list := []view.LiveSession{}
	for _, session := range sessions {
		age := now.Sub(session.Last)
		if session.Subagent || age > liveFor || age < -liveFor || hasEnded(session.SessionKey) {
			continue
		}
		status := view.LiveSession{Tool: session.Tool, Session: session.ID, Project: session.Project.Path, Updated: view.Timestamp(session.Last)}
		if u := session.Usage; u != nil {
			status.Model, status.Context = u.Model, u.Context
			status.Window, status.Percent = windows.Of(*u), windows.Percent(*u)
		}
		list = append(list, status)
	}
	return list
}

// Percent is how full a context is, 0 when nobody knows its window.
func (q *Service) Percent(usage transcript.UsageInfo) int { return q.windows.Percent(usage) }
