package kimicode

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// question is one of those the agent asks.
type question struct {
	Question string              `json:"question"`
	Header   string              `json:"header"`
	Options  []transcript.Option `json:"options"`
}

// asked are questions that wait for their answers.
type asked struct {
	ID        string     `json:"id"`
	CallID    string     `json:"call"`
	Questions []question `json:"questions"`
}

// ask reads questions; a request for an approval is none.
func (w *wire) ask() {
	if w.Record.Kind != "question" {
		return
	}
	open := asked{ID: w.Record.ID, CallID: w.Record.CallID, Questions: w.Record.Question.Questions}
	for n, question := range open.Questions {
		w.emit("q"+strconv.Itoa(n), transcript.Event{
			Kind: transcript.Question, Text: question.Question, Decision: decision(question, open.CallID, nil),
		})
	}
	w.Memory.Asked = transcript.Remember(w.Memory.Asked, open, maxAsked)
}

// answered reads what the user chose.
func (w *wire) answered() {
	at := slices.IndexFunc(w.Memory.Asked, func(open asked) bool { return open.ID == w.Record.ID })
	if at < 0 {
		return
	}
	open := w.Memory.Asked[at]
	w.Memory.Asked = slices.Delete(w.Memory.Asked, at, at+1)
	for n, question := range open.Questions {
		if chosen := chosen(w.Record.Answer.Answers[question.Question]); chosen != nil {
			w.emit("a"+strconv.Itoa(n), transcript.Event{Kind: transcript.Decided, Decision: decision(question, open.CallID, chosen)})
		}
	}
}

// chosen is one label, or several.
func chosen(answer json.RawMessage) []string {
	if one := transcript.Text(answer); one != "" {
		return []string{one}
	}
	var list []string
	_ = json.Unmarshal(answer, &list) // anything else is no answer
	return list
}

func decision(question question, call string, chosen []string) *transcript.Decision {
	return &transcript.Decision{
		Kind: "asked", Topic: question.Header, Question: question.Question, Options: question.Options, Chosen: chosen, CallID: call,
	}
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "done": "done"}

// stored reads the todo list as the tool keeps it.
func (w *wire) stored() {
	if w.Record.Key != "todo" {
		return
	}
	var list []struct {
		Title  string `json:"title"`
		Status string `json:"status"`
	}
	if json.Unmarshal(w.Record.Value, &list) != nil {
		return
	}
	items := []transcript.Item{}
	for _, todo := range list {
		items = append(items, transcript.Item{Text: todo.Title, State: todoStates[todo.Status]})
	}
	w.emit("0", transcript.Event{Kind: transcript.Todo, Items: items})
}
