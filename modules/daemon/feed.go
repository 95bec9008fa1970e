package daemon

import (
	"context"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// feed tells whoever listens which sessions something happened in.
type feed struct {
	mu        sync.Mutex
	listeners map[chan view.Change]struct{}
}

// listen gives the changes from now on, until the context ends; then the channel
// is closed. A listener that falls behind misses some.
func (f *feed) listen(ctx context.Context) <-chan view.Change {
	const behind = 64
	own := make(chan view.Change, behind)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listeners == nil {
		f.listeners = map[chan view.Change]struct{}{}
	}
	f.listeners[own] = struct{}{}
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.listeners, own)
		close(own)
	})
	return own
}

func (f *feed) tell(change view.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for listener := range f.listeners {
		select {
		case listener <- change:
		default:
		}
	}
}
