package opencode

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// call is a tool call, with its large parts left as they stand.
type call struct {
	Status   string          `json:"status"` // pending, running, completed, error
	Input    json.RawMessage `json:"input"`
	Output   string          `json:"output"`
	Error    string          `json:"error"`
	Metadata json.RawMessage `json:"metadata"`
	Time     struct {
		Start int64 `json:"start"`
		End   int64 `json:"end"`
	} `json:"time"`

	known toolspecs.Call
	event transcript.Event
}

// tool tells of a call once its arguments are whole, and of its outcome.
func (r *record) tool(p part, coverage *transcript.Coverage) {
	var c call
	if !decode(p.State, &c) || c.Status == "pending" {
		return
	}
	var known bool
	if c.known, known = r.Calls.Lookup(p.Tool); !known {
		coverage.CountUnknown("", "call "+p.Tool, 1)
	}
	located := r.emit(transcript.Event{
		ID: p.ID + "#0", Time: at(cmp.Or(c.Time.Start, p.made)), Kind: transcript.Call, Call: c.known.Info(p.ID, p.Tool, c.Input),
	})
	c.event = located.Event
	if c.known.After != "" && len(c.event.Call.Paths) > 0 {
		around := transcript.Members(c.Input, c.known.Before, c.known.After)
		located.Edit = &transcript.EditText{
			Path: c.event.Call.Paths[0], Before: transcript.Text(around[0]), After: transcript.Text(around[1]),
		}
		r.Decisions(c.event, located.Edit.After)
	}
	for n, q := range c.asks() {
		r.emitFor(c, "q"+strconv.Itoa(n), transcript.Event{Kind: transcript.Question, Text: q.Question, Decision: q.decision(p.ID)})
	}
	r.outcome(c)
}

// emitFor emits an event that belongs to a call.
func (r *record) emitFor(c call, name string, event transcript.Event) {
	event.ID, event.Parent, event.Time = c.event.ID+"."+name, c.event.ID, at(cmp.Or(c.Time.End, c.Time.Start))
	r.emit(event)
}

// outcome tells what came of a call. A command that fails is a success of the
// tool: there the exit code says it.
func (r *record) outcome(c call) {
	result := &transcript.ResultInfo{CallID: c.event.Call.ID}
	switch c.Status {
	case "completed":
		result.Text = transcript.Foreign(c.Output)
		var metadata struct {
			Exit     *int   `json:"exit"`
			Overflow string `json:"outputPath"`
		}
		_ = json.Unmarshal(c.Metadata, &metadata) // one of another shape says nothing
		if result.Overflow = metadata.Overflow; c.known.Meaning == transcript.Shell && metadata.Exit != nil {
			result.ExitCode, result.Failed = metadata.Exit, *metadata.Exit != 0
		}
	case "error":
		result.Text = c.Error
		result.Outcome = r.Spec.Outcome(c.Error)
		result.Failed = result.Outcome == ""
	default:
		return
	}
	r.emitFor(c, "r", transcript.Event{Kind: transcript.Result, Result: result})
	if c.Status != "completed" {
		return
	}
	switch c.known.Meaning {
	case transcript.Todos:
		r.todos(c)
	case transcript.Ask:
		r.answers(c)
	}
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// todos tells the list as a call sets it; what was given up is no more on it.
func (r *record) todos(c call) {
	items := []transcript.Item{}
	for _, element := range transcript.Elements(transcript.Member(c.Input, "todos")) {
		fields := transcript.Members(element, "content", "status")
		text, state := transcript.Text(fields[0]), transcript.Text(fields[1])
		if text != "" && state != "cancelled" {
			items = append(items, transcript.Item{Text: text, State: todoStates[state]})
		}
	}
	r.emitFor(c, "todo", transcript.Event{Kind: transcript.Todo, Items: items})
}

// question is one the agent asks, as its tool takes it.
type question struct {
	Question string              `json:"question"`
	Header   string              `json:"header"`
	Options  []transcript.Option `json:"options"`
}

func (c call) asks() []question {
	var questions []question
	if c.known.Question == "" || json.Unmarshal(transcript.Member(c.Input, c.known.Question), &questions) != nil {
		return nil
	}
	return questions
}

func (q question) decision(call string) *transcript.Decision {
	return &transcript.Decision{
		Kind: transcript.DecisionAsked, Topic: q.Header, Question: q.Question, Options: q.Options, CallID: call,
	}
}

// answers tells what the user chose: a list for each question.
func (r *record) answers(c call) {
	var given struct {
		Answers [][]string `json:"answers"`
	}
	if json.Unmarshal(c.Metadata, &given) != nil {
		return
	}
	for n, q := range c.asks() {
		if n < len(given.Answers) && len(given.Answers[n]) > 0 {
			decision := q.decision(c.event.Call.ID)
			decision.Chosen = given.Answers[n]
			r.emitFor(c, "a"+strconv.Itoa(n), transcript.Event{Kind: transcript.Decided, Decision: decision})
		}
	}
}
