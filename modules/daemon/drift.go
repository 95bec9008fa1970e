package daemon

import (
	"context"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/speccheck"
)

// drift is what the versions of the tools were last seen to differ in, by tool.
type drift struct {
	vanished atomic.Pointer[map[string][]string]
}

// read is nil before the first comparison.
func (d *drift) read() map[string][]string {
	if found := d.vanished.Load(); found != nil {
		return *found
	}
	return nil
}

// compareVersions compares what the versions of each tool gave, once history is read and
// every day.
func (d *Daemon) compareVersions(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-d.history:
	}
	daily := time.NewTicker(retentionEvery)
	defer daily.Stop()
	for {
		vanished, err := speccheck.Vanished(ctx, d.Table, d.Store)
		switch {
		case err == nil:
			d.drift.vanished.Store(&vanished)
		case ctx.Err() == nil:
			d.Logger.Warn("versions not compared", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		}
	}
}
