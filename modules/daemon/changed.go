package daemon

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/contextusage"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// news is what new events say of their session.
type news struct {
	ended   bool      // a turn did
	turn    time.Time // when
	cut     bool      // the context was cut
	begun   time.Time // when a cut began that has not come yet
	trigger string    // of the cut
}

// newsOf goes through events by session.
func newsOf(events []transcript.Located) map[ledger.SessionKey]*news {
	all := map[ledger.SessionKey]*news{}
	for _, event := range events {
		key := ledger.SessionKey{Tool: event.Tool, ID: event.Session}
		n := all[key]
		if n == nil {
			n = &news{}
			all[key] = n
		}
		switch {
		case event.Kind == transcript.Turn:
			n.ended, n.turn = true, event.Time
		case event.Kind == transcript.Compacting && !event.Subagent:
			n.begun, n.trigger = event.Time, triggerOf(event.Event)
		case isCut(event.Event):
			n.cut, n.begun, n.trigger = true, time.Time{}, triggerOf(event.Event)
		}
	}
	return all
}

// changed plans the publishing of the sessions that have new events: at once
// when a turn or a cut calls for it, else after some quiet. While history is
// read nothing is published: most of it is old, and folding it would hold the
// reading up.
func (d *Daemon) changed(ctx context.Context, events []transcript.Located) {
	crossed, err := d.gauges.Add(events)
	if err != nil {
		d.Zap.Warn("window of a model not kept", zap.Error(err))
	}
	for key, n := range newsOf(events) {
		d.feed.tell(api.Change{Tool: key.Tool, Session: key.ID})
		if over := crossed[key]; over.Snapshot {
			d.owe(key, fmt.Sprintf("%d %% full", d.Choices.Fullness.Snapshot))
			d.tellFull(ctx, key)
		}
		if n.cut && !d.sessions.cutAnnounced(key) {
			d.owe(key, cmp.Or(n.trigger, "auto"))
		}
		d.sessions.turnEnded(key, n.turn)
		if n.ended && d.onlyReads(key.Tool) {
			d.gauges.Read(key)
		}
		if d.postponed(key) {
			continue
		}
		if !n.begun.IsZero() {
			d.sessions.announce(key, n.trigger, n.begun)
			d.owe(key, cmp.Or(n.trigger, "auto"))
		}
		d.warm(ctx, key)
		wait := quiet
		if n.ended || n.cut || !n.begun.IsZero() || crossed[key] != (contextusage.Crossed{}) {
			wait = 0
		}
		d.publishAfter(ctx, key, wait)
	}
}

// postponed notes a session while history is being read.
func (d *Daemon) postponed(key ledger.SessionKey) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.history != nil {
		d.history[key] = true
	}
	return d.history != nil
}
