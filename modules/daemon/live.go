package daemon

import (
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// liveFor is how long after its last event a session counts as live.
const liveFor = 30 * time.Minute

// LiveStatus is how full the context of a session at work is, in tokens.
type LiveStatus struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	Model   string `json:"model,omitempty"`
	Context int64  `json:"context,omitempty"` // absent where the tool does not tell
	Window  int64  `json:"window,omitempty"`  // absent where nobody knows it
	Percent int    `json:"percent,omitempty"` // absent without a window
	Updated string `json:"updated,omitempty"`
}

// live are the sessions at work among those given, the newest first.
func (p *Pipeline) live(sessions []ledger.Session) []LiveStatus {
	list := []LiveStatus{}
	for _, session := range sessions {
		age := p.Now().Sub(session.Last)
		if session.Subagent || age > liveFor || age < -liveFor {
			continue
		}
		status := LiveStatus{Tool: session.Tool, Session: session.ID, Project: session.Project.Path, Updated: Stamp(session.Last)}
		if u := session.Usage; u != nil {
			status.Model, status.Context = u.Model, u.Context
			status.Window, status.Percent = p.gauges.Windows.Of(*u), p.gauges.Windows.Percent(*u)
		}
		list = append(list, status)
	}
	return list
}

// Percent is how full a context is, 0 when nobody knows its window.
func (p *Pipeline) Percent(usage transcript.UsageInfo) int { return p.gauges.Windows.Percent(usage) }
