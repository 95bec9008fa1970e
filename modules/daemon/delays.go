package daemon

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
)

// afterthought is how long after something ran at once more may be read that was
// there by then: the rows of several tables are not read in one snapshot, and a
// hook may come before the last lines of its turn.
const afterthought = capture.VisibleAfter

// delays has one thing run for each session: at once, or after some quiet. What is
// to run at once is not put off by what is heard of the session after it, and what
// is heard within an afterthought has it run once more, an afterthought later.
type delays struct {
	mu      sync.Mutex
	pending map[ledger.SessionKey]*delay
	ran     map[ledger.SessionKey]time.Time // when it ran at once
}

type delay struct {
	timer *time.Timer
	at    time.Time
	fixed bool // its time is not put off
}

// after has a function run once. A later call moves the time.
func (d *delays) after(key ledger.SessionKey, wait time.Duration, run func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	next := &delay{fixed: wait == 0}
	if ran, ok := d.ran[key]; ok && wait > afterthought && now.Sub(ran) < afterthought {
		wait, next.fixed = afterthought, true
	}
	next.at = now.Add(wait)
	if was := d.pending[key]; was != nil {
		if was.fixed && !was.at.After(next.at) {
			return
		}
		was.timer.Stop()
	}
	if d.pending == nil {
		d.pending = map[ledger.SessionKey]*delay{}
	}
	d.pending[key] = next
	next.timer = time.AfterFunc(wait, func() {
		if d.begins(key, next, wait == 0) {
			run()
		}
	})
}

// begins says whether a delay that is over is the one that counts.
func (d *delays) begins(key ledger.SessionKey, over *delay, atOnce bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending[key] != over { // another one took its place while it fired
		return false
	}
	delete(d.pending, key)
	if atOnce {
		d.note(key)
	}
	return true
}

// runs notes that it is run at once by another way.
func (d *delays) runs(key ledger.SessionKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.note(key)
}

func (d *delays) note(key ledger.SessionKey) {
	now := time.Now()
	maps.DeleteFunc(d.ran, func(_ ledger.SessionKey, ran time.Time) bool { return now.Sub(ran) >= afterthought })
	if d.ran == nil {
		d.ran = map[ledger.SessionKey]time.Time{}
	}
	d.ran[key] = now
}

// keys are the sessions of which something is pending.
func (d *delays) keys() []ledger.SessionKey {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.pending))
}

// stop ends all timers.
func (d *delays) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, pending := range d.pending {
		pending.timer.Stop()
	}
}
