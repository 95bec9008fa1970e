package daemon

import (
	"slices"
	"sync"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// lively is how long after its last hook a session counts as not ended. A
// program that was killed tells nobody.
const lively = 10 * time.Minute

// presence knows which sessions are open, by their hooks. It is not kept: after
// a restart of the daemon a session is known again at its next hook.
type presence struct {
	mu   sync.Mutex
	seen map[ledger.SessionKey]time.Time
}

// note takes a hook in: the last one of a session says that it ended.
func (p *presence) note(spec *toolspecs.Spec, hook capture.Hook) {
	if hook.Session == "" || hook.Agent != "" || !saysEnd(spec) {
		return
	}
	key := ledger.SessionKey{Tool: hook.Tool, ID: hook.Session}
	p.mu.Lock()
	defer p.mu.Unlock()
	if hook.Role == "session_end" {
		delete(p.seen, key)
		return
	}
	if p.seen == nil {
		p.seen = map[ledger.SessionKey]time.Time{}
	}
	for other, at := range p.seen {
		if hook.Time.Sub(at) > lively {
			delete(p.seen, other)
		}
	}
	p.seen[key] = hook.Time
}

// saysEnd says whether the tool tells when a session ends. Of one that does
// not, nobody knows whether it is still there.
func saysEnd(spec *toolspecs.Spec) bool {
	return slices.ContainsFunc(spec.Hooks, func(h toolspecs.Hook) bool { return h.Wired && h.Role == "session_end" })
}

// open says whether a session had a hook lately and did not end since.
func (p *presence) open(key ledger.SessionKey, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.seen[key]
	return ok && now.Sub(at) <= lively
}
