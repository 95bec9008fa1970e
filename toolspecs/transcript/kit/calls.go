package kit

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// MaxOpen bounds the calls that are remembered until their result comes.
const MaxOpen = 64

// OpenCall is a call whose result has not come.
type OpenCall struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Event string `json:"event"`
}

// OpenCalls are such calls, in the order they came.
type OpenCalls []OpenCall

// Close takes the call a result belongs to off the open ones. One that is not among
// them has its id alone.
func (o *OpenCalls) Close(id string) OpenCall {
	at := slices.IndexFunc(*o, func(call OpenCall) bool { return call.ID == id })
	if at < 0 {
		return OpenCall{ID: id}
	}
	call := (*o)[at]
	*o = slices.Delete(*o, at, at+1)
	return call
}

// Open remembers a call by the event that tells of it.
func (o *OpenCalls) Open(event transcript.Event) {
	*o = transcript.Remember(*o, OpenCall{ID: event.Call.ID, Name: event.Call.Name, Event: event.ID}, MaxOpen)
}

// EditedBy passes along the text that a call changes, and reads the decisions
// written into it. The call's event was added last.
func (l *Lines) EditedBy(known toolspecs.Call, event transcript.Event, arguments []byte) {
	if len(event.Call.Paths) == 0 || known.Meaning != transcript.Edit && known.Meaning != transcript.Write {
		return
	}
	around := transcript.Members(arguments, known.Before, known.After)
	after := transcript.Text(around[1])
	l.Edited(event.Call.Paths[0], transcript.Text(around[0]), after)
	l.Decisions(event, after)
}

// EditedPieces is EditedBy for a call whose argument may list pieces of text, each
// with what stood there and what stands there now as members of these names.
func (l *Lines) EditedPieces(known toolspecs.Call, event transcript.Event, arguments []byte, list, was, is string) {
	var before, after []string
	for _, piece := range transcript.Elements(transcript.Member(arguments, list)) {
		around := transcript.Members(piece, was, is)
		before, after = append(before, transcript.Text(around[0])), append(after, transcript.Text(around[1]))
	}
	if after == nil || len(event.Call.Paths) == 0 {
		l.EditedBy(known, event, arguments)
		return
	}
	now := strings.Join(after, "\n")
	l.Edited(event.Call.Paths[0], strings.Join(before, "\n"), now)
	l.Decisions(event, now)
}

// countLacking counts a call that came without the argument its meaning hangs on.
func countLacking(calls *toolspecs.CallTable, event transcript.Event, version string, coverage *transcript.Coverage) {
	if event.Kind != transcript.Call || event.Call == nil {
		return
	}
	if argument := calls.Lacks(event.Call); argument != "" {
		coverage.CountUnknown(version, "call "+event.Call.Name+" without "+argument, 1)
	}
}

// CheckCalls counts those of some events that lack such an argument.
func (t *Tables) CheckCalls(events []transcript.Located, coverage *transcript.Coverage) {
	for _, located := range events {
		countLacking(t.Calls, located.Event, "", coverage)
	}
}
