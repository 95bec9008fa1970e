package daemon

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// retain forgets what is older than `retention.sessions`, now and every day.
func (d *Daemon) retain(ctx context.Context) {
	if d.Choices.KeepSessions == 0 {
		return
	}
	daily := time.NewTicker(retentionEvery)
	defer daily.Stop()
	for {
		gone, err := d.Retain(ctx)
		if err != nil && ctx.Err() == nil {
			d.Logger.Warn("old sessions not forgotten", zap.Error(err))
		}
		if gone > 0 {
			d.Logger.Info("old sessions forgotten", zap.Int("sessions", gone))
		}
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		}
	}
}
