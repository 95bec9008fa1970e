package wrap

import (
	"context"
	"errors"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// listen takes what others want typed, for as long as the wrapper runs.
func (w *Wrapper) listen(ctx context.Context) {
	for delay := time.Second; ctx.Err() == nil; delay = min(2*delay, maxDelay) {
		messages, err := w.Daemon.Listen(ctx, view.AgentRequest{Agent: w.Name, Project: w.Directory})
		if err == nil {
			w.obey(ctx, messages)
		}
		if !errors.Is(err, client.ErrNotRunning) {
			delay = time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(delay):
		}
	}
}

// obey does what messages ask for, until there are no more.
func (w *Wrapper) obey(ctx context.Context, messages <-chan view.AgentMessage) {
	for m := range messages {
		if m.Type == view.MessageLimit {
			w.full(m)
			continue
		}
		w.inject(ctx, m)
	}
}

// inject types a message's text, and tells the daemon how that went.
func (w *Wrapper) inject(ctx context.Context, m view.AgentMessage) {
	w.mu.Lock()
	current := w.run
	w.mu.Unlock()
	report := func(err error) {
		answer := view.AgentMessage{Type: view.Ack, ID: m.ID}
		if err != nil {
			answer.Type, answer.Context = view.Nack, err.Error()
		}
		w.later(func() { _, _ = w.ask(ctx, w.addressed(answer)) })
	}
	if current == nil || !current.session.Interactive() {
		report(errors.New("the program has no terminal to type into"))
		return
	}
	current.typist.add(m.Context, report)
}
