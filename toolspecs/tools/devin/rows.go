package devin

import (
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// Queries implements transcript.RowReader.
func (r *Reader) Queries() []transcript.RowQuery { return r.queries }

// MapRows implements transcript.RowReader.
func (r *Reader) MapRows(rows []transcript.Row) ([]transcript.Located, transcript.Coverage) {
	return kit.MapRows(rows, func(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
		if row.Query == "session" {
			return r.session(row, coverage)
		}
		return r.message(row, coverage)
	})
}

// sessions stand before the messages, whose rows are numbered from 1: the
// offset of all of them is 0, and a hash of the id tells them apart.
func (r *Reader) session(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	id := row.Text("id")
	if id == "" {
		kit.Broken(coverage)
		return nil
	}
	if !r.Count("session", coverage) {
		return nil
	}
	opening := &record{Reader: r, session: id, id: id, time: at(row.Int("created_at"))}
	event := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Model: row.Text("model")}}
	if cwd := row.Text("working_directory"); cwd != "" {
		event.Place = &transcript.Place{Cwd: cwd}
	}
	opening.emit("start", event)
	if title := strings.TrimSpace(row.Text("title")); title != "" {
		opening.emit("title", transcript.Event{Kind: transcript.Title, Text: title})
	}
	for i := range opening.Events {
		opening.Events[i].Ref.Block += int(transcript.Fingerprint(id)>>2) << 2
	}
	return opening.Events
}

// message is one as it is sent to the model.
type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // text, or a list of parts
	Calls   []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"` // an object, or one written as text
		} `json:"function"`
	} `json:"tool_calls"`
	Answers string `json:"tool_call_id"`
}

// Words of the tool.
const (
	user      = "user"
	assistant = "assistant"
	toolRole  = "tool"
)

// message tells of a message. One of a branch that the user left by going back
// is flagged as taken back.
func (r *Reader) message(row transcript.Row, coverage *transcript.Coverage) []transcript.Located {
	var m message
	data := []byte(row.Text("data"))
	if len(data) == 0 || data[0] != '{' || json.Unmarshal(data, &m) != nil {
		kit.Broken(coverage)
		return nil
	}
	kind := m.Role
	if kind == user || kind == assistant || kind == toolRole {
		kind = "message"
	}
	if !r.Count(kind, coverage) {
		return nil
	}
	session := row.Text("session_id")
	rec := &record{
		Reader: r, session: session, id: session + "/" + row.Text("node_id"), Record: kit.Record{Ref: transcript.Ref{Offset: row.Int("key")}},
		time: at(row.Int("created_at")), withdrawn: row.Query == "side",
	}
	switch m.Role {
	case user:
		rec.prompt(m.text())
	case assistant:
		rec.answer(m, coverage)
	case toolRole:
		rec.result(m)
	}
	return rec.Events
}

// text is what a message says.
func (m message) text() string {
	if text := transcript.Text(m.Content); text != "" {
		return strings.TrimSpace(text)
	}
	var words []string
	for _, part := range transcript.Elements(m.Content) {
		if text := transcript.Text(transcript.Member(part, "text")); text != "" {
			words = append(words, text)
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

func (r *record) prompt(text string) {
	switch {
	case text == "":
	case transcript.Ours(text):
		r.emit("0", transcript.Event{Kind: transcript.Restored})
	case r.Spec.MachinePrompt(text):
		r.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
	default:
		r.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
	}
}
