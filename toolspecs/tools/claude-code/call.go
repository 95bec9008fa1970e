package claudecode

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// calls reads what the agent asked for, and what came of it. Those whose
// result has not come are a part of the state.
type calls struct{ emitter }

func (c *calls) call(part string, block []byte) {
	parts := transcript.Members(block, "id", "name", "input")
	id, name, input := transcript.Text(parts[0]), transcript.Text(parts[1]), parts[2]
	call, known := c.Calls.Lookup(name)
	if !known {
		c.UnknownCall(c.state.Version, name)
	}
	info := call.Info(id, name, input)
	event := c.emit(part, transcript.Event{Kind: transcript.Call, Call: info})
	open := openCall{ID: id, Name: name, Event: event.ID}
	switch call.Meaning {
	case transcript.Edit, transcript.Write:
		c.edit(event, call, input)
	case transcript.Ask:
		c.questions(event, id, transcript.Member(input, call.Question))
	case transcript.Planning:
		open.Plan = c.plan(event.ID, transcript.Text(transcript.Member(input, "plan")))
	case transcript.Todos:
		c.todos(event, input)
		open.Task = taskChange(name, input)
	}
	c.state.Open = transcript.Remember(c.state.Open, open, maxOpen)
}

// edit passes the edited text along with its event, and reads the decisions
// that were written into a file.
func (c *calls) edit(event transcript.Event, call toolspecs.Call, input []byte) {
	if len(event.Call.Paths) == 0 {
		return
	}
	var before, after []string
	changes := slices.Collect(func(yield func([]byte) bool) {
		if edits := transcript.Member(input, "edits"); edits != nil {
			for _, edit := range transcript.Elements(edits) {
				if !yield(edit) {
					return
				}
			}
			return
		}
		yield(input)
	})
	for _, change := range changes {
		parts := transcript.Members(change, or(call.Before, "old_string"), or(call.After, "new_string"))
		before = append(before, transcript.Text(parts[0]))
		after = append(after, transcript.Text(parts[1]))
	}
	written := strings.Join(after, "\n")
	c.Edited(event.Call.Paths[0], strings.Join(before, "\n"), written)
	c.Decisions(event, written)
}

func or(name, usual string) string {
	if name != "" {
		return name
	}
	return usual
}

// plan emits a plan, if there is one.
func (c *calls) plan(parent, text string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	c.emit("", transcript.Event{ID: parent + ".plan", Parent: parent, Kind: transcript.Plan, Text: text})
	return true
}
