package query

import (
	"context"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// SessionReport renders the report of a session: the one named, else the newest
// of the directory.
func (q *Service) SessionReport(ctx context.Context, request view.SessionSelector) (view.SessionReport, error) {
	session, err := q.Pick(ctx, request)
	if err != nil {
		return view.SessionReport{}, err
	}
	text, warning, err := q.reports.ReportText(ctx, session)
	if err != nil {
		return view.SessionReport{}, err
	}
	return view.SessionReport{
		Schema: 1, Tool: session.Tool, Session: session.ID, Project: session.Project.Path, Updated: view.Timestamp(session.Last), Warning: warning, Text: text,
	}, nil
}
