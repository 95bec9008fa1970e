package geminicli

import (
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// emitter adds the events of a chat, each of them once.
type emitter struct {
	*Reader
	kit.Lines
	state  state
	parent string // session of a subagent's file
}

// emit adds an event made from this record, unless it was emitted before.
func (e *emitter) emit(event transcript.Event) (transcript.Event, bool) {
	event.Session = e.state.Session
	if event.Subagent = e.state.Agent; event.Subagent && e.parent != "" {
		event.Session = e.parent
	}
	if !e.state.first(event.ID) {
		return event, false
	}
	return e.Add(event), true
}

// derived adds an event that hangs at another.
func (e *emitter) derived(from transcript.Event, part string, event transcript.Event) {
	event.ID, event.Parent, event.Time = from.ID+"."+part, from.ID, from.Time
	e.emit(event)
}

func (e *emitter) decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		e.emit(decision)
	}
}

// recordID is the place of a record that has no id of its own.
func (e *emitter) recordID() string {
	return e.state.Session + "/" + e.state.Started + "/" + strconv.FormatInt(e.Offset(), 10)
}
