package client

import (
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
)

var _ view.Service = (*Client)(nil)

// Status is the state of the daemon's home.
func (c *Client) Status(ctx context.Context) (view.Status, error) {
	return ask[view.Status](ctx, c.conn, http.MethodGet, "/api/v1/status", none{})
}

// Stats counts what is kept.
func (c *Client) Stats(ctx context.Context) (view.Stats, error) {
	return ask[view.Stats](ctx, c.conn, http.MethodGet, "/api/v1/stats", none{})
}

// Digest is a fingerprint of all events.
func (c *Client) Digest(ctx context.Context) (ledger.Digest, error) {
	return ask[ledger.Digest](ctx, c.conn, http.MethodGet, "/api/v1/digest", none{})
}

// Search finds events, and what named agents left.
func (c *Client) Search(ctx context.Context, request view.SearchRequest) (view.SearchResult, error) {
	return ask[view.SearchResult](ctx, c.conn, http.MethodGet, "/api/v1/search", request)
}

// ListSessions lists sessions, newest first.
func (c *Client) ListSessions(ctx context.Context, request view.SessionListRequest) (view.List[view.Session], error) {
	return ask[view.List[view.Session]](ctx, c.conn, http.MethodGet, "/api/v1/sessions", request)
}

// ShowSession is a session with its events.
func (c *Client) ShowSession(ctx context.Context, request view.SessionRequest) (view.SessionDetail, error) {
	return ask[view.SessionDetail](ctx, c.conn, http.MethodGet, "/api/v1/sessions/{id}", request)
}

// Decisions lists recorded decisions, newest first.
func (c *Client) Decisions(ctx context.Context, request view.DecisionListRequest) (view.DecisionList, error) {
	return ask[view.DecisionList](ctx, c.conn, http.MethodGet, "/api/v1/decisions", request)
}

// Handoff is the handoff of a session.
func (c *Client) Handoff(ctx context.Context, request view.HandoffRequest) (render.Document, error) {
	return ask[render.Document](ctx, c.conn, http.MethodGet, "/api/v1/handoff", request)
}

// HandoffHistory lists the handoffs of a project, newest first.
func (c *Client) HandoffHistory(ctx context.Context, request view.HistoryRequest) (view.HandoffHistory, error) {
	return ask[view.HandoffHistory](ctx, c.conn, http.MethodGet, "/api/v1/history", request)
}

// SessionReport is the report of a session.
func (c *Client) SessionReport(ctx context.Context, request view.SessionSelector) (view.SessionReport, error) {
	return ask[view.SessionReport](ctx, c.conn, http.MethodGet, "/api/v1/report", request)
}

// CompactionDiff is what a session's last compaction kept and lost.
func (c *Client) CompactionDiff(ctx context.Context, request view.SessionSelector) (view.CompactionDiff, error) {
	return ask[view.CompactionDiff](ctx, c.conn, http.MethodGet, "/api/v1/compaction", request)
}

// PrepareSwitch is the command that opens an agent with a project's handoff.
func (c *Client) PrepareSwitch(ctx context.Context, request view.SwitchRequest) (view.SwitchCommand, error) {
	return ask[view.SwitchCommand](ctx, c.conn, http.MethodGet, "/api/v1/switch", request)
}

// Dismiss stops offering a handoff until its session goes on.
func (c *Client) Dismiss(ctx context.Context, request view.DismissRequest) (view.DismissResult, error) {
	return ask[view.DismissResult](ctx, c.conn, http.MethodPost, "/api/v1/dismiss", request)
}

// Import reads transcripts that are on disk already.
func (c *Client) Import(ctx context.Context, request view.ImportRequest, progress view.Progress) (view.ImportResult, error) {
	return follow[view.ImportResult](ctx, c.conn, "/api/v1/import", request, progress)
}

// Forget deletes a text or sessions everywhere.
func (c *Client) Forget(ctx context.Context, request view.ForgetRequest, progress view.Progress) (view.ForgetResult, error) {
	return follow[view.ForgetResult](ctx, c.conn, "/api/v1/forget", request, progress)
}

// Repair rebuilds the index and reads every transcript again.
func (c *Client) Repair(ctx context.Context, request view.RepairRequest, progress view.Progress) (view.RepairResult, error) {
	return follow[view.RepairResult](ctx, c.conn, "/api/v1/repair", request, progress)
}

// ListProjects lists projects by path.
func (c *Client) ListProjects(ctx context.Context, page view.Page) (view.List[view.Project], error) {
	return ask[view.List[view.Project]](ctx, c.conn, http.MethodGet, "/api/v1/projects", page)
}

// ChangeProject moves or merges a project.
func (c *Client) ChangeProject(ctx context.Context, request view.ProjectChangeRequest) (view.Project, error) {
	return ask[view.Project](ctx, c.conn, http.MethodPost, "/api/v1/projects", request)
}
