package daemon

import (
	"context"
	"fmt"
	"os"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

var _ api.Daemon = (*Daemon)(nil)

// Hook answers a hook, and publishes the handoff when it says that a turn or
// the session ended, or that the context is about to be compacted.
func (d *Daemon) Hook(ctx context.Context, claimed, event string, body []byte, marks []string) (api.HookAnswer, error) {
	hook, err := capture.ParseHook(d.Table, claimed, event, body, capture.ParseMarks(marks), d.Now())
	if err != nil {
		return api.HookAnswer{}, fmt.Errorf("read hook payload: %w", err)
	}
	if hook.Role == "" {
		d.countUnknown(claimed + " " + event)
		return api.HookAnswer{Known: false}, nil
	}
	began := time.Now()
	defer func() { took := time.Since(began); d.work.Go(func() { d.countHook(hook, took) }) }() // nobody waits for it
	reply, err := d.restore.Answer(ctx, hook)
	text := ""
	if err == nil {
		text, err = hook.Hook.Answer(reply.Text, reply.Seen)
	}
	key := hook.Key()
	switch hook.Role {
	case "pre_compact": // the compaction begins as soon as we answer
		d.schedule.beforeCompaction(ctx, key, hook.Trigger)
	case "session_end":
		d.work.Go(func() { d.keepOnce(context.WithoutCancel(ctx)) }) // it may be deleted any time
		d.schedule.reportLater(key, "")
		d.schedule.publishAfter(context.WithoutCancel(ctx), key, 0)
	case "turn_end", "interrupt": // nobody should wait for it
		d.schedule.publishAfter(context.WithoutCancel(ctx), key, 0)
	}
	return api.HookAnswer{Text: text, Known: true}, err
}

// Health says that the daemon answers.
func (d *Daemon) Health(context.Context) view.Health {
	return view.Health{Status: "ok", Version: version.Version, PID: os.Getpid(), Uptime: int64(time.Since(d.started).Seconds())}
}

// countHook remembers that a hook came, and how long its answer took.
func (d *Daemon) countHook(hook capture.Hook, took time.Duration) {
	if hook.Role == "" {
		return
	}
	if err := d.hooks.Note(hook.Tool, hook.Event, hook.Time, took); err != nil {
		d.Logger.Warn("hook not counted", zap.Error(err))
	}
}

// maxUnknown bounds how many names of unknown hooks are kept.
const maxUnknown = 100

// countUnknown counts a hook whose tool or event no spec knows: drift shows in
// numbers, not in errors.
func (d *Daemon) countUnknown(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unknown == nil {
		d.unknown = map[string]int{}
	}
	if _, counted := d.unknown[name]; counted || len(d.unknown) < maxUnknown {
		d.unknown[name]++
	}
}
