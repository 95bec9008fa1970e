package daemon

import (
	"errors"
	"slices"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
)

// maxRefusals bounds the projects that are named.
const maxRefusals = 5

// refusals are the projects into which the last handoff could not be written, because
// something there is not Carryover's.
type refusals struct {
	mu   sync.Mutex
	list []noted // the oldest first
}

type noted struct {
	key     ledger.SessionKey
	refusal *publish.Refusal
}

// note keeps what came of publishing a session's handoff.
func (r *refusals) note(key ledger.SessionKey, err error) {
	var refusal *publish.Refusal
	found := errors.As(err, &refusal)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(n noted) bool {
		return n.key == key || found && n.refusal.Project == refusal.Project
	})
	if !found {
		return
	}
	if r.list = append(r.list, noted{key, refusal}); len(r.list) > maxRefusals {
		r.list = r.list[1:]
	}
}

// sentences are for `carryover status`.
func (r *refusals) sentences() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.list {
		list = append(list, n.refusal.Error())
	}
	return list
}
