package cursor

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// composer is a session as the tool describes it. Those of 2024 hold their
// messages, later ones name them.
type composer struct {
	ID           string            `json:"composerId"`
	Name         string            `json:"name"`
	Created      int64             `json:"createdAt"`     // milliseconds
	Updated      int64             `json:"lastUpdatedAt"` // milliseconds
	Status       string            `json:"status"`
	Conversation []json.RawMessage `json:"conversation"`
	Headers      []header          `json:"fullConversationHeadersOnly"`
	Used         int64             `json:"contextTokensUsed"`
	Limit        int64             `json:"contextTokenLimit"`
	Model        struct {
		Name string `json:"modelName"`
	} `json:"modelConfig"`
	Workspace struct {
		URI struct {
			Path string `json:"fsPath"`
		} `json:"uri"`
	} `json:"workspaceIdentifier"`
	Repositories []struct {
		Path string `json:"repoPath"`
	} `json:"trackedGitRepos"`
	Todos []struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	} `json:"todos"`
	Subagents []string `json:"subagentComposerIds"`
	Subagent  struct {
		Parent string `json:"parentComposerId"`
	} `json:"subagentInfo"`
}

// header names a message of a session.
type header struct {
	ID   string `json:"bubbleId"`
	Type int    `json:"type"`
}

// composer tells of a session: where it is held, its title, todos, how full its
// context is and whether its turn has ended. cwd is the folder of the database
// that it stands in.
func (r *Reader) composer(data []byte, cwd string, coverage *transcript.Coverage) []transcript.Located {
	var c composer
	if !decode(data, &c) || c.ID == "" {
		kit.Broken(coverage)
		return nil
	}
	if !r.Count("composer", coverage) {
		return nil
	}
	if c.last().ID == "" {
		return nil // a draft: nothing was said in it
	}
	opening := &record{Reader: r, session: c.ID, Record: kit.Record{Ref: placed(c.ID, 0, 0)}, time: at(c.Created)}
	opening.opened(c, cwd)
	events := opening.Events
	for number, data := range c.Conversation {
		var b bubble
		if !decode(data, &b) || b.ID == "" {
			kit.Broken(coverage)
			continue
		}
		events = append(events, r.bubble(c.ID, b, int64(number), coverage)...)
	}
	after := c.Updated // its last message may bear the same time
	if after > 0 {
		after++
	}
	closing := &record{Reader: r, session: c.ID, Record: kit.Record{Ref: placed(c.ID+"#end", after, int64(len(c.Conversation)+1))}, time: at(c.Updated)}
	closing.todos(c)
	closing.ended(c)
	return append(events, closing.Events...)
}

// opened opens a session. What stands in the first position a database has for
// it is of no other time than the session's own.
func (r *record) opened(c composer, cwd string) {
	dir := cmp.Or(c.Workspace.URI.Path, cwd)
	if dir == "" && len(c.Repositories) > 0 {
		dir = c.Repositories[0].Path
	}
	start := &transcript.Start{Model: c.Model.Name}
	if c.Subagent.Parent != "" {
		start.From, start.How = c.Subagent.Parent, "subagent"
	}
	event := transcript.Event{ID: c.ID + "#start", Kind: transcript.Session, Start: start}
	if dir != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: dir}
	}
	if cwd != "" { // the same session stands in two databases
		event.ID = c.ID + "#place"
	}
	r.emit(event)
	if name := strings.TrimSpace(c.Name); name != "" {
		r.emit(transcript.Event{ID: c.ID + "#title", Kind: transcript.Title, Text: name})
	}
	for _, child := range c.Subagents {
		event := r.emit(transcript.Event{
			ID: child + "#parent", Kind: transcript.Session, Start: &transcript.Start{From: c.ID, How: "subagent"},
		})
		event.Session, event.Time = child, time.Time{} // it began some time later
	}
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// todos tells the list as it stands; what was given up is no more on it.
func (r *record) todos(c composer) {
	if len(c.Todos) == 0 {
		return
	}
	items := []transcript.Item{}
	var mark strings.Builder
	for _, todo := range c.Todos {
		mark.WriteString(todo.Content + "\n" + todo.Status + "\n")
		if todo.Content != "" && todo.Status != "cancelled" {
			items = append(items, transcript.Item{Text: todo.Content, State: todoStates[todo.Status]})
		}
	}
	name := strconv.FormatUint(uint64(transcript.Fingerprint(mark.String())), 16)
	r.emit(transcript.Event{ID: c.ID + "#todo." + c.last().ID + "." + name, Kind: transcript.Todo, Items: items})
}

// last is the newest message of a session.
func (c composer) last() header {
	if len(c.Headers) > 0 {
		return c.Headers[len(c.Headers)-1]
	}
	var b header
	if len(c.Conversation) > 0 {
		decode(c.Conversation[len(c.Conversation)-1], &b)
	}
	return b
}

// turnStates are the tool's words for how a turn ended.
var turnStates = map[string]string{"completed": transcript.TurnCompleted, "aborted": transcript.TurnInterrupted}

// ended tells how full the context was after the newest message, and of the end
// of a turn.
func (r *record) ended(c composer) {
	last := c.last()
	if last.Type != typeAssistant {
		return
	}
	if c.Used > 0 {
		r.emit(transcript.Event{ID: last.ID + "#usage", Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
			Context: c.Used, Window: c.Limit, Model: c.Model.Name,
		}})
	}
	if state := turnStates[c.Status]; state != "" {
		r.emit(transcript.Event{ID: last.ID + "#turn", Kind: transcript.Turn, Text: state})
	}
}
