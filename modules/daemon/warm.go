package daemon

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/ledger"
)

// A fold is made soon after a session was seen at work, so that a cut finds it
// in memory; and again after something dropped it, for at most a twentieth of
// the time.
const (
	warmAfter = time.Second
	warmShare = 20
)

// warming is a fold that will be made, or was.
type warming struct {
	timer *time.Timer
	cost  time.Duration // of making it the last time
}

// warm has the fold of a session made in the background when it is missing.
func (d *Daemon) warm(ctx context.Context, key ledger.SessionKey) {
	if d.sessions.folded(key) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.warms[key]
	if w.timer != nil {
		return
	}
	w.timer = time.AfterFunc(max(warmAfter, warmShare*w.cost), func() { d.fold(ctx, key) })
	d.warms[key] = w
}

// settle puts the events of subagents in a session's fold where they belong.
func (d *Daemon) settle(ctx context.Context, key ledger.SessionKey) {
	if !d.sessions.loose(key) {
		return
	}
	session, found, err := d.Log.Session(ctx, key)
	if err == nil && found {
		err = d.sessions.settle(ctx, session)
	}
	if err != nil && ctx.Err() == nil {
		d.Zap.Warn("session not folded", zap.String("tool", key.Tool), zap.String("session", key.ID), zap.Error(err))
	}
}

func (d *Daemon) fold(ctx context.Context, key ledger.SessionKey) {
	if ctx.Err() != nil {
		return
	}
	began := time.Now()
	session, found, err := d.Log.Session(ctx, key)
	if err == nil && found && !session.Subagent {
		_, err = d.Distil(ctx, session)
	}
	if err != nil && ctx.Err() == nil {
		d.Zap.Warn("session not folded", zap.String("tool", key.Tool), zap.String("session", key.ID), zap.Error(err))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.warms[key] = warming{cost: time.Since(began)}
}
