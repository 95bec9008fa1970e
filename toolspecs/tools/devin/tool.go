package devin

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// answer tells what the model said and called. An answer without a call ends
// the turn.
func (r *record) answer(m message, coverage *transcript.Coverage) {
	r.Reply(kit.Text(m.Content))
	for n, c := range m.Calls {
		r.call("c"+strconv.Itoa(n), c.ID, c.Function.Name, object(c.Function.Arguments), coverage)
	}
	if len(m.Calls) == 0 {
		r.Completed()
	}
}

// object is the arguments of a call, which may be an object written as text.
func object(arguments json.RawMessage) []byte {
	if text := transcript.Text(arguments); text != "" {
		return []byte(text)
	}
	return arguments
}

func (r *record) call(part, id, name string, arguments []byte, coverage *transcript.Coverage) {
	call := r.Call(part, id, name, arguments, coverage)
	event := call.Event
	if call.Edit != nil {
		r.Decisions(event, call.Edit.After)
	}
	if event.Call.Meaning == transcript.Todos {
		r.todos(event, arguments)
	}
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// todos tells the list as a call sets it; what was given up is no more on it.
func (r *record) todos(call transcript.Event, arguments []byte) {
	items := []transcript.Item{}
	for _, element := range transcript.Elements(transcript.Member(arguments, "todos")) {
		fields := transcript.Members(element, "content", "status")
		text, state := transcript.Text(fields[0]), transcript.Text(fields[1])
		if text != "" && state != "cancelled" {
			items = append(items, transcript.Item{Text: text, State: todoStates[state]})
		}
	}
	r.Emit("", transcript.Event{ID: call.ID + ".todo", Parent: call.ID, Kind: transcript.Todo, Items: items})
}

// exited is how the end of a command's output tells its exit status.
var exited = regexp.MustCompile(`(?i)\bexit(?:ed with)? code:? (-?\d+)\W*$`)

// result tells what came of a call. That it failed is known from the words of the
// output alone.
func (r *record) result(m message) {
	text := kit.Text(m.Content)
	result := &transcript.ResultInfo{CallID: m.Answers, Text: transcript.Foreign(text)}
	if found := exited.FindStringSubmatch(strings.TrimSpace(text)); found != nil {
		if code, err := strconv.Atoi(found[1]); err == nil {
			result.ExitCode, result.Failed = &code, code != 0
		}
	}
	if outcome := r.Spec.Outcome(text); outcome != "" {
		result.Outcome, result.Failed = outcome, false
	}
	r.Emit("0", transcript.Event{Kind: transcript.Result, Result: result})
}
