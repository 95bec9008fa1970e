package client

import (
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// memory asks for threads of work, and for what is kept of files and transcripts.
type memory struct{ conn *conn }

// OpenWork lists threads of work.
func (m memory) OpenWork(ctx context.Context, request view.OpenWorkRequest) (view.OpenWork, error) {
	return ask[view.OpenWork](ctx, m.conn, http.MethodGet, "/api/v1/threads", request)
}

// Blame lists the requests in which a file was changed.
func (m memory) Blame(ctx context.Context, request view.BlameRequest) (view.Blame, error) {
	return ask[view.Blame](ctx, m.conn, http.MethodGet, "/api/v1/blame", request)
}

// Effects compares sessions with a handoff and without.
func (m memory) Effects(ctx context.Context) (view.Effects, error) {
	return ask[view.Effects](ctx, m.conn, http.MethodGet, "/api/v1/effects", none{})
}

// ImportBundle adds the sessions of a bundle to their project.
func (m memory) ImportBundle(ctx context.Context, request view.BundleRequest) (view.BundleResult, error) {
	return ask[view.BundleResult](ctx, m.conn, http.MethodPost, "/api/v1/bundle", request)
}

// MarkThread keeps what the user says of a thread.
func (m memory) MarkThread(ctx context.Context, request view.MarkThreadRequest) (view.Done, error) {
	return ask[view.Done](ctx, m.conn, http.MethodPost, "/api/v1/threads", request)
}
