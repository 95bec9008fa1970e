package session

import (
	"slices"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// activeFor is how long after its last hook a session counts as not ended. A
// program that was killed tells nobody.
const activeFor = 10 * time.Minute

// Presence knows which sessions are open, by their hooks. It is not kept: after
// a restart of the daemon a session is known again at its next hook.
type Presence struct {
	mu   sync.Mutex
	seen map[ledger.SessionKey]time.Time
}

// Note records that a hook of a session came: the last one says that it ended.
func (p *Presence) Note(spec *toolspecs.Spec, key ledger.SessionKey, role string, now time.Time) {
	if !saysEnd(spec) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if role == "session_end" {
		delete(p.seen, key)
		return
	}
	if p.seen == nil {
		p.seen = map[ledger.SessionKey]time.Time{}
	}
	for other, at := range p.seen {
		if now.Sub(at) > activeFor {
			delete(p.seen, other)
		}
	}
	p.seen[key] = now
}

// saysEnd says whether the tool tells when a session ends. Of one that does
// not, nobody knows whether it is still there.
func saysEnd(spec *toolspecs.Spec) bool {
	return slices.ContainsFunc(spec.Hooks, func(h toolspecs.Hook) bool { return h.Wired && h.Role == "session_end" })
}

// Open says whether a session had a hook lately and did not end since.
func (p *Presence) Open(key ledger.SessionKey, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.seen[key]
	return ok && now.Sub(at) <= activeFor
}
