package claudecode

import (
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// emitter adds the events of the line being read.
type emitter struct {
	*Reader
	kit.Lines
	state    state
	main     string // session that the file is called by
	subagent bool   // the file is a subagent's
	record   record // being read
}

// emit adds an event made from this line. Its id is the line's uuid and a part
// of its own, never a counter: a copy of the line in a fork gives the same ids
// whatever stood before it.
func (e *emitter) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = e.recordID() + "#" + part
	}
	if event.Session == "" {
		event.Session = e.sessionID()
	}
	if event.Time.IsZero() {
		event.Time = e.record.Time
	}
	event.Subagent = event.Subagent || e.inSubagent()
	return e.Add(event)
}

// recordID is the line's uuid, else its place in the session.
func (e *emitter) recordID() string {
	if e.record.UUID != "" {
		return e.record.UUID
	}
	return e.sessionID() + "/" + strconv.FormatInt(e.Offset(), 10)
}

func (e *emitter) sessionID() string {
	switch {
	case e.record.Session != "":
		return e.record.Session
	case e.main != "":
		return e.main
	}
	return e.state.Session
}

func (e *emitter) inSubagent() bool { return e.subagent || e.record.Sidechain }
