package daemon

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
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
			d.Zap.Warn("old sessions not forgotten", zap.Error(err))
		}
		if gone > 0 {
			d.Zap.Info("old sessions forgotten", zap.Int("sessions", gone))
		}
		select {
		case <-ctx.Done():
			return
		case <-daily.C:
		}
	}
}

// Retain forgets, as `carryover forget` does, the sessions whose last event is
// older than `retention.sessions`, and says how many. They are not read again
// from a transcript that is still there. A session whose time is unknown stays.
func (p *Pipeline) Retain(ctx context.Context) (int, error) {
	if p.Choices.KeepSessions == 0 {
		return 0, nil
	}
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{Subagents: true})
	if err != nil {
		return 0, err
	}
	oldest := p.Now().Add(-p.Choices.KeepSessions)
	var old []string
	for _, session := range list {
		if !session.Last.IsZero() && session.Last.Before(oldest) {
			old = append(old, session.ID)
		}
	}
	if len(old) == 0 {
		return 0, nil
	}
	done, err := p.Forget(ctx, view.ForgetRequest{Sessions: old}, nil)
	return done.Sessions, err
}
