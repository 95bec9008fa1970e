package geminicli

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// model reads a message of the model. It is written with its text first and
// again with its calls, once they have ended.
func (c *chat) model(m message) {
	if text := strings.TrimSpace(strings.Join(texts(m.Content), "\n")); text != "" {
		if said, fresh := c.emit(transcript.Event{ID: m.ID + "#0", Time: m.Time, Kind: transcript.Reply, Text: text}); fresh {
			c.decisions(said, text)
			c.state.Answered = &reply{ID: m.ID, Time: m.Time}
		}
	}
	c.usage(m)
	for _, call := range transcript.Elements(m.Calls) {
		c.state.Answered = nil
		c.call(m, call)
	}
}

// usage reads how full the context was, once per message.
func (c *chat) usage(m message) {
	var tokens struct {
		Input  int64 `json:"input"`
		Output int64 `json:"output"`
		Total  int64 `json:"total"`
	}
	if m.Tokens == nil || json.Unmarshal(m.Tokens, &tokens) != nil {
		return
	}
	total := max(tokens.Total, tokens.Input+tokens.Output)
	if total == 0 {
		return
	}
	c.emit(transcript.Event{ID: m.ID + "#usage", Time: m.Time, Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: total, Window: c.Spec.Window(m.Model), Model: m.Model,
	}})
}

// called is a call that the record holds, with its outcome if it has one.
type called struct {
	id, name, status string
	args, result     []byte
	known            toolspecs.Call
	event            transcript.Event
}

// calls reads what the model asked for, and what came of it.
type calls struct{ emitter }

func (c *calls) call(m message, raw []byte) {
	parts := transcript.Members(raw, "id", "name", "args", "result", "status", "timestamp")
	call := called{
		id: transcript.Text(parts[0]), name: transcript.Text(parts[1]), status: transcript.Text(parts[4]),
		args: parts[2], result: parts[3],
	}
	var known bool
	if call.known, known = c.Calls.Lookup(call.name); !known {
		c.UnknownCall("", call.name)
	}
	event, fresh := c.emit(transcript.Event{
		ID: m.ID + "#" + call.id, Time: m.Time, Kind: transcript.Call, Call: call.known.Info(call.id, call.name, call.args),
	})
	call.event = event
	if fresh {
		c.callStarted(call)
	}
	c.ended(call, kit.Time(transcript.Text(parts[5])))
}

// callStarted emits what follows from a call's arguments.
func (c *calls) callStarted(call called) {
	switch call.known.Meaning {
	case transcript.Edit, transcript.Write:
		c.edited(call)
	case transcript.Ask:
		c.questions(call)
	case transcript.Todos:
		c.todos(call)
	}
}

// edited passes the edited text along with its event, and reads the decisions
// and the plan that were written into the file.
func (c *calls) edited(call called) {
	if len(call.event.Call.Paths) == 0 {
		return
	}
	path := call.event.Call.Paths[0]
	around := transcript.Members(call.args, call.known.Before, call.known.After)
	after := transcript.Text(around[1])
	c.Edited(path, transcript.Text(around[0]), after)
	c.decisions(call.event, after)
	if call.known.Meaning == transcript.Write && strings.Contains(path, "/"+c.state.Session+"/plans/") {
		c.derived(call.event, "plan", transcript.Event{Kind: transcript.Plan, Text: after})
	}
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done", "blocked": "blocked"}

// todos emits the list that a call has set. What was given up is left out.
func (c *calls) todos(call called) {
	var args struct {
		Todos []struct {
			Text   string `json:"description"`
			Status string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(call.args, &args) != nil || args.Todos == nil {
		return
	}
	var items []transcript.Item
	for _, todo := range args.Todos {
		if todo.Status != "cancelled" {
			items = append(items, transcript.Item{Text: todo.Text, State: todoStates[todo.Status]})
		}
	}
	c.derived(call.event, "todo", transcript.Event{Kind: transcript.Todo, Items: items})
}

// question is one of those a call asks.
type question struct {
	Question string              `json:"question"`
	Header   string              `json:"header"`
	Options  []transcript.Option `json:"options"`
}

func (c *calls) questions(call called) {
	for n, q := range call.asks() {
		c.derived(call.event, "q"+strconv.Itoa(n), transcript.Event{
			Kind: transcript.Question, Text: q.Question, Decision: q.decision(call.id),
		})
	}
}

func (call called) asks() []question {
	var questions []question
	if raw := transcript.Member(call.args, call.known.Question); raw == nil || json.Unmarshal(raw, &questions) != nil {
		return nil
	}
	return questions
}

func (q question) decision(call string) *transcript.Decision {
	return &transcript.Decision{
		Kind: transcript.DecisionAsked, Topic: q.Header, Question: q.Question, Options: q.Options, CallID: call,
	}
}
