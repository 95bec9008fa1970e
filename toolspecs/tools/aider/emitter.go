package aider

import (
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// emitter adds the events of the block being read.
type emitter struct {
	*Reader
	kit.Lines
	state state
	block block
}

// emit adds an event made from this block. Its id is the run and the block's
// place in it, which only grows.
func (e *emitter) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = e.state.Session + "/" + strconv.FormatInt(e.block.offset, 10) + "#" + part
	}
	event.Session = e.state.Session
	return e.Add(event)
}

func (e *emitter) blockID(part string) string {
	return e.state.Session + "/" + strconv.FormatInt(e.block.offset, 10) + "#" + part
}

// call emits a call made from this block and returns its id.
func (e *emitter) call(info *transcript.CallInfo) string { return e.callBy("", info) }

// callBy is call with whose call it is.
func (e *emitter) callBy(origin transcript.Origin, info *transcript.CallInfo) string {
	info.ID = e.blockID("0")
	e.emit("0", transcript.Event{Kind: transcript.Call, Origin: origin, Call: info})
	return info.ID
}

func (e *emitter) result(call string, result transcript.ResultInfo) {
	result.CallID = call
	e.emit("", transcript.Event{ID: call + ".result", Kind: transcript.Result, Result: &result})
}

func (e *emitter) start() *transcript.Start {
	return &transcript.Start{Version: e.state.Version, Model: e.state.Model, Headless: e.state.Headless}
}
