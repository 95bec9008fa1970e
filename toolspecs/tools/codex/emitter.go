package codex

import (
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// emitter adds the events of the line being read.
type emitter struct {
	*Reader
	kit.Lines
	state  state
	record record // being read
}

// emit adds an event made from this line. Its id is the thread and what names
// the record in it: an item's id, else its place, which only grows.
func (e *emitter) emit(record, part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		if record == "" {
			record = strconv.FormatInt(e.Offset(), 10)
		}
		event.ID = e.state.Thread + "/" + record + "#" + part
	}
	event.Session, event.Time = e.state.Thread, e.record.Time
	event.Subagent = e.state.Subagent
	return e.Add(event)
}

// derived adds an event that hangs at another one of this line.
func (e *emitter) derived(from transcript.Event, part string, event transcript.Event) {
	event.ID, event.Parent = from.ID+"."+part, from.ID
	e.emit("", "", event)
}

func (e *emitter) start() *transcript.Start {
	return &transcript.Start{
		Version: e.state.Version, Originator: e.state.Originator, Headless: e.state.Headless, Model: e.state.Model, EndsTurns: e.state.Turns,
	}
}
