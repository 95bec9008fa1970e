package daemon

import (
	"cmp"
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/ledger"
)

// exported is one line of an export (docs/json-output.md).
type exported struct {
	Type    string       `json:"type"` // session or event
	Session *SessionView `json:"session,omitempty"`
	Event   *EventView   `json:"event,omitempty"`
}

// Export hands every session to a writer, newest first, each followed by its
// events: of one session, of a directory's project, or of all. Returned is how
// many sessions there were.
func (p *Pipeline) Export(ctx context.Context, directory, session string, write func(line any) error) (int, error) {
	list, err := p.toExport(ctx, directory, session)
	if err != nil {
		return 0, err
	}
	for _, s := range list {
		view := viewSession(s)
		if err := write(exported{Type: "session", Session: &view}); err != nil {
			return 0, fmt.Errorf("export: %w", err)
		}
		for event, err := range p.Log.Events(ctx, s.SessionKey) {
			if err != nil {
				return 0, err
			}
			view := viewEvent(event)
			if err := write(exported{Type: "event", Event: &view}); err != nil {
				return 0, fmt.Errorf("export: %w", err)
			}
		}
	}
	return len(list), nil
}

func (p *Pipeline) toExport(ctx context.Context, directory, session string) ([]ledger.Session, error) {
	if session != "" {
		one, err := p.SessionNamed(ctx, session)
		return []ledger.Session{one}, err
	}
	list, err := p.sessionsIn(ctx, directory, ledger.SessionFilter{Subagents: true})
	if err == nil && len(list) == 0 {
		err = nothing("no session was captured in " + cmp.Or(directory, "any project yet"))
	}
	return list, err
}
