package kit

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Database is what a reader of a tool's database begins with. Such readers embed
// it; one whose tool writes files as well has a Decode of its own.
type Database struct {
	*Tables
	queries []transcript.RowQuery
}

// ForDatabase prepares a spec with queries.
func ForDatabase(spec *toolspecs.Spec) Database {
	return Database{Tables: For(spec), queries: spec.Queries()}
}

// Rewrites implements transcript.Rewriter: rows change in place.
func (d Database) Rewrites(transcript.Source) bool { return true }

// Queries implements transcript.RowReader.
func (d Database) Queries() []transcript.RowQuery { return d.queries }

// Decode implements transcript.Reader where there is no file to decode.
func (d Database) Decode(_ transcript.Source, _ io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	if pos.Offset > 0 || len(pos.State) > 0 {
		return nil, fmt.Errorf("%w: %w", transcript.ErrState, transcript.ErrRowsOnly)
	}
	return nil, transcript.ErrRowsOnly
}

// Message is a row of a database of messages, or of its table of sessions, on its
// way to events.
type Message struct {
	*Tables
	Record
	Session   string
	ID        string // of the row, within the tool
	Time      time.Time
	Withdrawn bool
}

// Emit adds an event made from this row. Its id is the row's and a part.
func (m *Message) Emit(part string, event transcript.Event) *transcript.Located {
	if event.ID == "" {
		event.ID = m.ID + "#" + part
	}
	event.Tool, event.Session, event.Withdrawn = m.Spec.Tool, m.Session, m.Withdrawn
	if event.Time.IsZero() {
		event.Time = m.Time
	}
	return m.Add(event)
}

// Opened tells of a session by its row: id, title and created_at are columns of
// every tool's query. Sessions stand before the messages, which are numbered from
// 1: the offset of all is 0, and a hash of the id tells them apart.
func (t *Tables) Opened(row transcript.Row, cwd string, start *transcript.Start, coverage *transcript.Coverage) []transcript.Located {
	id := row.Text("id")
	if id == "" {
		Broken(coverage)
		return nil
	}
	if !t.Count("session", coverage) {
		return nil
	}
	opening := &Message{Tables: t, Session: id, ID: id, Time: Stamp(row.Int("created_at"))}
	event := transcript.Event{Kind: transcript.Session, Start: start}
	if cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: cwd}
	}
	opening.Emit("start", event)
	if title := strings.TrimSpace(row.Text("title")); title != "" {
		opening.Emit("title", transcript.Event{Kind: transcript.Title, Text: title})
	}
	for i := range opening.Events {
		opening.Events[i].Ref.Block += int(transcript.Fingerprint(id)>>2) << 2
	}
	return opening.Events
}

// StartedBy is the start of a session that a subagent works in where parent names
// the session it came from.
func StartedBy(parent string) *transcript.Start {
	if parent == "" {
		return &transcript.Start{}
	}
	return &transcript.Start{From: parent, How: "subagent"}
}

// Call tells of a call, with the text around an edit. One tool may do several
// things: then its argument command says which.
func (m *Message) Call(part, id, name string, arguments []byte, coverage *transcript.Coverage) *transcript.Located {
	known, found := m.Calls.Lookup(name)
	if command := transcript.Text(transcript.Member(arguments, "command")); !found || known.Meaning == transcript.Read {
		if exact, ok := m.Calls.Lookup(name + " " + command); ok {
			known, found = exact, true
		}
	}
	if !found {
		coverage.CountUnknown("", "call "+name, 1)
	}
	call := m.Emit(part, transcript.Event{Kind: transcript.Call, Call: known.Info(id, name, arguments)})
	if known.After != "" && len(call.Call.Paths) > 0 {
		texts := transcript.Members(arguments, known.Before, known.After)
		call.Edit = &transcript.EditText{Path: call.Call.Paths[0], Before: transcript.Text(texts[0]), After: transcript.Text(texts[1])}
	}
	return call
}

// Prompt tells what the user said.
func (m *Message) Prompt(text string) {
	if event, said := m.Prompted(text); said {
		m.Emit("0", event)
	}
}

// Reply tells what the model said.
func (m *Message) Reply(text string) {
	if text = strings.TrimSpace(text); text != "" {
		m.Decisions(m.Emit("0", transcript.Event{Kind: transcript.Reply, Text: text}).Event, text)
	}
}

// Decisions adds those in a text: taken back where the row is.
func (m *Message) Decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		m.Emit("", decision)
	}
}

// Completed ends the turn.
func (m *Message) Completed() {
	m.Emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
}
