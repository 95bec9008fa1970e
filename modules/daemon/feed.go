package daemon

import (
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/api"
)

// feed tells whoever listens which sessions something happened in.
type feed struct {
	mu        sync.Mutex
	listeners map[chan api.Change]struct{}
}

// listen gives the changes from now on, until stop is called. A listener that
// falls behind misses some.
func (f *feed) listen() (changes <-chan api.Change, stop func()) {
	const behind = 64
	own := make(chan api.Change, behind)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listeners == nil {
		f.listeners = map[chan api.Change]struct{}{}
	}
	f.listeners[own] = struct{}{}
	return own, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.listeners, own)
	}
}

func (f *feed) tell(change api.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for listener := range f.listeners {
		select {
		case listener <- change:
		default:
		}
	}
}
