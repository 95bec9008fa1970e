package devin

import (
	"encoding/json"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

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
	rec := &record{kit.Message{
		Tables: r.Tables, Session: session, ID: session + "/" + row.Text("node_id"), Record: kit.Record{Ref: transcript.Ref{Offset: row.Int("key")}},
		Time: kit.Stamp(row.Int("created_at")), Withdrawn: row.Query == "side",
	}}
	switch m.Role {
	case user:
		rec.Prompt(kit.Text(m.Content))
	case assistant:
		rec.answer(m, coverage)
	case toolRole:
		rec.result(m)
	}
	return rec.Events
}
