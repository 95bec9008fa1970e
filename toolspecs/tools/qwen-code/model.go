package qwencode

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message reads what the model said and asked for.
func (c *chat) message() {
	if text := c.text(); text != "" {
		c.Decisions(c.emit("0", transcript.Event{Kind: transcript.Reply, Text: text}), text)
	}
	if total := c.record.Usage.Total; total > 0 {
		c.emit("usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
			Context: total, Window: c.Spec.Window(c.record.Model), Model: c.record.Model,
		}})
	}
	last := len(c.record.Message.Parts) > 0
	for n, part := range c.record.Message.Parts {
		if part.Call != nil {
			last = false
			c.call("c"+strconv.Itoa(n), part.Call.ID, part.Call.Name, part.Call.Args)
		}
	}
	if last { // a message is written once it is whole: one that asks for no tool ends the turn
		c.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
	}
}

func (c *chat) call(part, id, name string, args []byte) {
	known, found := c.Calls.Lookup(name)
	if !found {
		c.UnknownCall(c.record.Version, name)
	}
	event := c.emit(part, transcript.Event{Kind: transcript.Call, Call: known.Info(id, name, args)})
	open := openCall{ID: id, Name: name, Event: event.ID}
	switch known.Meaning {
	case transcript.Edit, transcript.Write:
		c.edited(known, event, args)
	case transcript.Ask:
		open.Questions = asked(known, args)
		c.ask(event, open)
	case transcript.Todos:
		open.Todos = todos(args)
	case transcript.Planning:
		if plan := transcript.Text(transcript.Member(args, "plan")); plan != "" {
			c.derived(event, "plan", transcript.Event{Kind: transcript.Plan, Text: plan})
		}
	}
	c.state.Open = transcript.Remember(c.state.Open, open, maxOpen)
}

// edited passes the edited text along, and reads the decisions written into it.
func (c *chat) edited(known toolspecs.Call, event transcript.Event, args []byte) {
	if len(event.Call.Paths) == 0 {
		return
	}
	around := transcript.Members(args, known.Before, known.After)
	after := transcript.Text(around[1])
	c.Edited(event.Call.Paths[0], transcript.Text(around[0]), after)
	c.Decisions(event, after)
}

// derived adds an event that hangs at another one.
func (c *chat) derived(from transcript.Event, part string, event transcript.Event) {
	event.ID, event.Parent, event.Time = from.ID+"."+part, from.ID, from.Time
	c.emit("", event)
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// todos are the list that a call sets.
func todos(args []byte) []transcript.Item {
	var list struct {
		Todos []struct {
			Content string `json:"content"`
			Status  string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(args, &list) != nil {
		return nil
	}
	var items []transcript.Item
	for _, todo := range list.Todos {
		items = append(items, transcript.Item{Text: todo.Content, State: todoStates[todo.Status]})
	}
	return items
}

// question is one of those a call asks.
type question struct {
	Question string              `json:"question"`
	Header   string              `json:"header"`
	Options  []transcript.Option `json:"options"`
}

func asked(known toolspecs.Call, args []byte) []question {
	var questions []question
	if raw := transcript.Member(args, known.Question); raw == nil || json.Unmarshal(raw, &questions) != nil {
		return nil
	}
	return questions
}

func (c *chat) ask(event transcript.Event, open openCall) {
	for n, q := range open.Questions {
		c.derived(event, "q"+strconv.Itoa(n), transcript.Event{
			Kind: transcript.Question, Text: q.Question, Decision: q.decision(open.ID),
		})
	}
}

func (q question) decision(call string) *transcript.Decision {
	return &transcript.Decision{
		Kind: transcript.DecisionAsked, Topic: q.Header, Question: q.Question, Options: q.Options, CallID: call,
	}
}

// decided are the user's choices, by what the model was given: a line for each
// question, with its header in bold. The ids are those that the hook gives.
func decided(session, call string, questions []question, given string) []transcript.Event {
	var events []transcript.Event
	lines := strings.Split(given, "\n")
	for n, q := range questions {
		mark := "**" + q.Header + "**: "
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, mark) })
		if at < 0 {
			continue
		}
		decision := q.decision(call)
		decision.Chosen = []string{strings.TrimSpace(lines[at][len(mark):])}
		events = append(events, transcript.Event{
			ID: session + "/" + call + "#chosen" + strconv.Itoa(n), Kind: transcript.Decided, Decision: decision,
		})
	}
	return events
}
