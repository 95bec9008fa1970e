package session

import (
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// activeFor is how long after its last hook a session counts as not ended. A
// program that was killed tells nobody.
const activeFor = 10 * time.Minute

// endedFor is how long it is known that a session told of its end: longer than its last
// event makes anybody take it for live.
const endedFor = time.Hour

// Presence knows which sessions are open, by their hooks. It is not kept: after
// a restart of the daemon a session is known again at its next hook.
type Presence struct {
	mu    sync.Mutex
	seen  map[ledger.SessionKey]time.Time
	ended map[ledger.SessionKey]time.Time
}

// Note records that a hook of a session came: the last one says that it ended.
func (p *Presence) Note(spec *toolspecs.Spec, key ledger.SessionKey, role string, now time.Time) {
	if !spec.SaysEnd() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if role == "session_end" {
		delete(p.seen, key)
		p.ended = noted(p.ended, key, now, endedFor)
		return
	}
	delete(p.ended, key)
	p.seen = noted(p.seen, key, now, activeFor)
}

// noted adds a session to those of a map, and drops the ones that are older than an age.
func noted(times map[ledger.SessionKey]time.Time, key ledger.SessionKey, now time.Time, age time.Duration) map[ledger.SessionKey]time.Time {
	if times == nil {
		times = map[ledger.SessionKey]time.Time{}
	}
	for other, at := range times {
		if now.Sub(at) > age {
			delete(times, other)
		}
	}
	times[key] = now
	return times
}

// HasEnded says that a session's tool told of its end, and that no hook of it came since.
func (p *Presence) HasEnded(key ledger.SessionKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ended := p.ended[key]
	return ended
}

// Open says whether a session had a hook lately and did not end since.
func (p *Presence) Open(key ledger.SessionKey, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.seen[key]
	return ok && now.Sub(at) <= activeFor
}
