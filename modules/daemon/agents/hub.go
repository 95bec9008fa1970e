package agents

import (
	"context"
	"slices"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// hub knows the wrappers that run, and hands them what is to be typed.
type hub struct {
	mu       sync.Mutex
	wrappers map[wrapped][]chan view.AgentMessage
}

// wrapped is an agent of a project that is run by a wrapper.
type wrapped struct{ project, agent string }

// waiting is how many injections may wait for one wrapper.
const waiting = 16

// listen gives a wrapper its messages until the context ends; then the channel
// is closed.
func (h *hub) listen(ctx context.Context, key wrapped) <-chan view.AgentMessage {
	messages := make(chan view.AgentMessage, waiting)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wrappers == nil {
		h.wrappers = map[wrapped][]chan view.AgentMessage{}
	}
	h.wrappers[key] = append(h.wrappers[key], messages)
	context.AfterFunc(ctx, func() { h.remove(key, messages) })
	return messages
}

// remove ends a wrapper. Nobody sends to it any more, since h.mu is held.
func (h *hub) remove(key wrapped, messages chan view.AgentMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrappers[key] = slices.DeleteFunc(h.wrappers[key], func(other chan view.AgentMessage) bool { return other == messages })
	close(messages)
}

// send hands a message to the wrapper that came last; ok is false when there is
// none, or too much waits for it.
func (h *hub) send(key wrapped, message view.AgentMessage) (ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.wrappers[key]
	if len(list) == 0 {
		return false
	}
	select {
	case list[len(list)-1] <- message:
		return true
	default:
		return false
	}
}

// tell hands a message to every wrapper of a project; those with no room for it
// go without.
func (h *hub) tell(project string, message view.AgentMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, list := range h.wrappers {
		for _, messages := range list {
			if key.project != project {
				continue
			}
			select {
			case messages <- message:
			default:
			}
		}
	}
}

// projects are those in which an agent of that name is run.
func (h *hub) projects(agent string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var ids []string
	for key, list := range h.wrappers {
		if key.agent == agent && len(list) > 0 {
			ids = append(ids, key.project)
		}
	}
	return ids
}

// busy says whether an agent of a project is run.
func (h *hub) busy(project string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, list := range h.wrappers {
		if key.project == project && len(list) > 0 {
			return true
		}
	}
	return false
}
