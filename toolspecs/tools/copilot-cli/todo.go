package copilotcli

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// todo is a row of the table todos that the agent keeps in SQL.
type todo struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	State string `json:"state"`
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "done": "done", "blocked": "blocked"}

// todos applies what the agent does to its table of todos and emits the list
// when it has changed. The statements are simple and always the same few, as
// the tool's instructions spell them out; what is no such statement changes
// nothing.
func (s *session) todos(event transcript.Event, query string) {
	before := slices.Clone(s.state.Todos)
	for statement := range splitStatements(query) {
		s.state.apply(statement)
	}
	if slices.Equal(before, s.state.Todos) {
		return
	}
	var items []transcript.Item
	for _, t := range s.state.Todos {
		items = append(items, transcript.Item{Text: t.Title, State: todoStates[t.State]})
	}
	s.emit("", transcript.Event{ID: event.ID + ".todo", Parent: event.ID, Kind: transcript.Todo, Items: items})
}

func (s *state) apply(statement []token) {
	switch {
	case starts(statement, "INSERT") && index(statement, "todos") > 0:
		s.insert(statement)
	case starts(statement, "UPDATE", "todos", "SET"):
		s.update(statement[3:])
	case starts(statement, "DELETE", "FROM", "todos"):
		chosen := ids(statement[3:])
		s.Todos = slices.DeleteFunc(s.Todos, func(t todo) bool { return chosen == nil || slices.Contains(chosen, t.ID) })
	}
}

// insert reads INSERT INTO todos (columns) VALUES (row), (row).
func (s *state) insert(statement []token) {
	at := index(statement, "VALUES")
	if at < 0 {
		return
	}
	columns := slices.Collect(groups(statement[:at]))
	if len(columns) == 0 {
		return
	}
	for row := range groups(statement[at:]) {
		added := todo{State: "pending"}
		for n, column := range columns[0] {
			if n >= len(row) {
				break
			}
			switch strings.ToLower(column.text) {
			case "id":
				added.ID = row[n].text
			case "title":
				added.Title = transcript.Truncate(row[n].text, maxText)
			case "status":
				added.State = row[n].text
			}
		}
		s.Todos = slices.DeleteFunc(s.Todos, func(t todo) bool { return t.ID == added.ID })
		s.Todos = transcript.Remember(s.Todos, added, maxTodos)
	}
}

// update reads SET status = 'done' WHERE id …, also with CASE id WHEN … THEN ….
func (s *state) update(set []token) {
	at := index(set, "status")
	if at < 0 || at+2 >= len(set) || set[at+1].text != "=" {
		return
	}
	where := index(set, "WHERE")
	if where < 0 {
		where = len(set)
	}
	if where < at+2 {
		return // the status is asked for there, not set
	}
	chosen := ids(set[where:])
	value := set[at+2]
	for n := range s.Todos {
		t := &s.Todos[n]
		switch {
		case value.quoted && (chosen == nil || slices.Contains(chosen, t.ID)):
			t.State = value.text
		case !value.quoted:
			t.State = caseOf(set[at+2:where], t.ID, t.State)
		}
	}
}

// caseOf is the value that CASE id WHEN 'a' THEN 'x' … gives an id.
func caseOf(tokens []token, id, otherwise string) string {
	for n := 0; n+3 < len(tokens); n++ {
		if tokens[n].is("WHEN") && tokens[n+1].quoted && tokens[n+1].text == id && tokens[n+2].is("THEN") && tokens[n+3].quoted {
			return tokens[n+3].text
		}
	}
	return otherwise
}
