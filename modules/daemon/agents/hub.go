package agents

import (
	"context"
	"slices"
	"sync"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// hub passes messages to the wrappers that run.
type hub struct {
	mu       sync.Mutex
	wrappers map[wrapperKey][]chan view.AgentMessage
}

// wrapperKey is an agent that runs under a wrapper.
type wrapperKey struct{ project, agent string }

// maxPending bounds the messages that wait for one wrapper.
const maxPending = 16

// listen gives a wrapper its messages until the context ends; then the channel
// is closed.
func (h *hub) listen(ctx context.Context, key wrapperKey) <-chan view.AgentMessage {
	messages := make(chan view.AgentMessage, maxPending)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wrappers == nil {
		h.wrappers = map[wrapperKey][]chan view.AgentMessage{}
	}
	h.wrappers[key] = append(h.wrappers[key], messages)
	context.AfterFunc(ctx, func() { h.remove(key, messages) })
	return messages
}

// remove ends a wrapper. Nobody sends to it any more, since h.mu is held.
func (h *hub) remove(key wrapperKey, messages chan view.AgentMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrappers[key] = slices.DeleteFunc(h.wrappers[key], func(other chan view.AgentMessage) bool { return other == messages })
	close(messages)
}

// send passes a message to the newest wrapper of an agent; ok is false when there
// is none, or maxPending messages wait for it.
func (h *hub) send(key wrapperKey, message view.AgentMessage) (ok bool) {
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

// broadcast passes a message to every wrapper of a project, but those for which
// maxPending messages wait.
func (h *hub) broadcast(project string, message view.AgentMessage) {
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

// projects are those in which an agent of that name runs.
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

// isBusy says whether an agent of a project runs.
func (h *hub) isBusy(project string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, list := range h.wrappers {
		if key.project == project && len(list) > 0 {
			return true
		}
	}
	return false
}
