package claudecode

import (
	"encoding/json"
	"slices"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// task is an entry of the task list that TaskCreate and TaskUpdate change. It
// stands nowhere as a whole: updates say only id and status.
type task struct {
	ID      string `json:"id,omitempty"`
	Subject string `json:"subject,omitempty"`
	Status  string `json:"status,omitempty"`
}

// todoStates are the tool's words for the states of an item.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done", "blocked": "blocked"}

// todos emits the list of a call that carries all of it.
func (c *calls) todos(event transcript.Event, input []byte) {
	raw := transcript.Member(input, "todos")
	var todos []struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	}
	if raw == nil || json.Unmarshal(raw, &todos) != nil {
		return
	}
	items := make([]transcript.Item, 0, len(todos))
	for _, todo := range todos {
		items = append(items, transcript.Item{Text: todo.Content, State: todoStates[todo.Status]})
	}
	c.emit("", transcript.Event{ID: event.ID + ".todo", Parent: event.ID, Kind: transcript.Todo, Items: items})
}

// taskChange is what a call will do to the task list once it succeeds.
func taskChange(name string, input []byte) *task {
	if name != "TaskCreate" && name != "TaskUpdate" {
		return nil
	}
	parts := transcript.Members(input, "taskId", "subject", "status")
	return &task{
		ID: transcript.Text(parts[0]), Subject: transcript.Truncate(transcript.Text(parts[1]), maxText), Status: transcript.Text(parts[2]),
	}
}

// changeTask replays a change and emits the list as it is then.
func (c *calls) changeTask(event transcript.Event, call openCall) {
	if call.Task == nil {
		return
	}
	change := *call.Task
	if created := transcript.Member(c.record.Result, "task"); created != nil {
		change.ID = transcript.Text(transcript.Member(created, "id"))
		change.Status = "pending"
	}
	if change.ID == "" {
		return
	}
	c.state.change(change)
	items := make([]transcript.Item, 0, len(c.state.Tasks))
	for _, task := range c.state.Tasks {
		items = append(items, transcript.Item{Text: task.Subject, State: todoStates[task.Status]})
	}
	c.emit("", transcript.Event{ID: event.ID + ".todo", Parent: call.Event, Kind: transcript.Todo, Items: items})
}

func (s *state) change(change task) {
	at := slices.IndexFunc(s.Tasks, func(task task) bool { return task.ID == change.ID })
	switch {
	case change.Status == "deleted":
		if at >= 0 {
			s.Tasks = slices.Delete(s.Tasks, at, at+1)
		}
	case at >= 0:
		if change.Subject != "" {
			s.Tasks[at].Subject = change.Subject
		}
		if change.Status != "" {
			s.Tasks[at].Status = change.Status
		}
	case change.Subject != "":
		s.Tasks = transcript.Remember(s.Tasks, change, maxTasks)
	}
}
