package query

import (
	"cmp"
	"context"
	"fmt"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// Export hands every session to a writer, newest first, each followed by its
// events: of one session, of a directory's project, or of all. Returned is how
// many sessions there were.
func (q *Service) Export(ctx context.Context, request view.ExportRequest, write func(view.ExportLine) error) (int, error) {
	list, err := q.toExport(ctx, request.Directory, request.Session)
	if err != nil {
		return 0, err
	}
	for _, s := range list {
		session := view.NewSession(s)
		if err := write(view.ExportLine{Type: "session", Session: &session}); err != nil {
			return 0, fmt.Errorf("export: %w", err)
		}
		for event, err := range q.store.Events(ctx, s.SessionKey) {
			if err != nil {
				return 0, err
			}
			shown := view.NewEvent(event)
			if err := write(view.ExportLine{Type: "event", Event: &shown}); err != nil {
				return 0, fmt.Errorf("export: %w", err)
			}
		}
	}
	return len(list), nil
}

func (q *Service) toExport(ctx context.Context, directory, session string) ([]ledger.Session, error) {
	if session != "" {
		one, err := q.SessionNamed(ctx, session)
		return []ledger.Session{one}, err
	}
	list, err := q.SessionsIn(ctx, directory, ledger.SessionFilter{Subagents: true})
	if err == nil && len(list) == 0 {
		err = view.NotFound("no session was captured in " + cmp.Or(directory, "any project yet"))
	}
	return list, err
}
