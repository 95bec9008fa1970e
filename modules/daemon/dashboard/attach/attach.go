// Package attach makes the page of a running daemon: it knows both.
package attach

import (
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/dashboard"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
)

// Page is what a daemon shows a browser, for daemon.Options.
func Page(ctx context.Context, d *daemon.Daemon, browsers *api.Browsers) http.Handler {
	return dashboard.New(ctx, dashboard.Options{
		Service: d.Services, Sessions: d.Services, Ledger: d.Store, Tools: d.Tools(), Browsers: browsers, Now: d.Now, Log: d.Logger,
		Examine: func(ctx context.Context) doctor.Report { return doctor.Run(ctx, d.Home, d.Table) },
	})
}
