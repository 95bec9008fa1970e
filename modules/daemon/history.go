package daemon

import (
	"context"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

// History are the handoffs of a project, newest first (docs/json-output.md).
type History struct {
	Schema  int           `json:"schema"`
	Project string        `json:"project"`
	Items   []PastHandoff `json:"items"`
}

// PastHandoff is the handoff of one session. It is made anew when it is asked
// for: the same session gives the same one.
type PastHandoff struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Time    string `json:"time,omitempty"` // of the last event
	Branch  string `json:"branch,omitempty"`
	Title   string `json:"title,omitempty"`
	Task    string `json:"task,omitempty"`
	Next    string `json:"next,omitempty"`
	Given   int    `json:"given"` // how many sessions began with it
}

// HistoryOf lists the handoffs of a directory's project, at most limit. A session
// without work of its own made none.
// ErrNothing when no session was captured there.
func (p *Pipeline) HistoryOf(ctx context.Context, directory string, limit int) (History, error) {
	history := History{Schema: 1, Items: []PastHandoff{}}
	project, ok, err := p.projectOf(ctx, directory)
	if err != nil {
		return history, err
	}
	if !ok {
		return history, nothing("no session was captured in " + directory)
	}
	history.Project = project.Path
	given, err := p.GivenOn(ctx)
	if err != nil {
		return history, err
	}
	for filter := (ledger.SessionFilter{Project: project.ID, Limit: limit}); ; {
		list, err := p.Log.Sessions(ctx, filter)
		if err != nil {
			return history, err
		}
		for _, session := range list {
			facts, err := p.Distil(ctx, session)
			if err != nil {
				return history, err
			}
			if facts.Worked {
				history.Items = append(history.Items, pastHandoff(session, facts, given[session.SessionKey]))
			}
			if limit > 0 && len(history.Items) == limit {
				return history, nil
			}
			filter.After = session.Mark()
		}
		if limit == 0 || len(list) < limit {
			return history, nil
		}
	}
}

func pastHandoff(session ledger.Session, facts distiller.Facts, given int) PastHandoff {
	item := PastHandoff{
		Tool: session.Tool, Session: session.ID, Time: Stamp(session.Last), Branch: session.Branch, Title: session.Title, Given: given,
	}
	if facts.Task != nil {
		item.Task = facts.Task.Text
	}
	if facts.Next != nil {
		item.Next = facts.Next.Text
	}
	return item
}

// GivenOn counts how often each session's handoff began another session.
func (p *Pipeline) GivenOn(ctx context.Context) (map[ledger.SessionKey]int, error) {
	list, err := p.Log.Restores(ctx, ledger.SessionKey{}, 0)
	counts := map[ledger.SessionKey]int{}
	for _, r := range list {
		if r.Begins() {
			counts[r.From]++
		}
	}
	return counts, err
}
