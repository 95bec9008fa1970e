// Package openhands reads the conversations of OpenHands CLI: a folder per
// conversation with one small file per event, written once. A file is read as a
// line; what belongs to another event is named in it.
package openhands

import (
	"encoding/json"
	"io"
	"path"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads OpenHands' events by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	var none struct{}
	if err := transcript.DecodeState(pos.State, &none); err != nil {
		return nil, err
	}
	return kit.DecodeRecords(in, pos, &event{Reader: r, session: sessionOf(src.Path), cwd: src.Cwd}), nil
}

// idLength is that of a conversation's id without hyphens, as its folder is
// called.
const idLength = 32

// sessionOf is the conversation in whose folder a file lies, as hooks call it:
// <id>/events/<file>.
func sessionOf(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	id := path.Base(path.Dir(path.Dir(file)))
	if len(id) != idLength || path.Base(path.Dir(file)) != "events" {
		return strings.TrimSuffix(path.Base(file), ".json")
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}

// event is one file being read.
type event struct {
	*Reader
	kit.Lines
	session, cwd string
	record       record
}

// record is an event as it is written.
type record struct {
	ID        string          `json:"id"`
	Time      string          `json:"timestamp"` // local, without a zone
	Source    string          `json:"source"`
	Message   content         `json:"llm_message"`
	Extended  []piece         `json:"extended_content"` // what hooks put beside a prompt
	Thought   []piece         `json:"thought"`
	Action    json.RawMessage `json:"action"`
	ToolName  string          `json:"tool_name"`
	CallID    string          `json:"tool_call_id"`
	ActionID  string          `json:"action_id"`
	Result    observation     `json:"observation"`
	Rejection string          `json:"rejection_reason"`
	Error     string          `json:"error"`
	Summary   string          `json:"summary"`
}

type content struct {
	Content []piece `json:"content"`
}

// piece is a text, or something that is none.
type piece struct {
	Text string `json:"text"`
}

// observation is what came of a call.
type observation struct {
	Content  []piece `json:"content"`
	IsError  bool    `json:"is_error"`
	ExitCode *int    `json:"exit_code"` // of a command; -1 while it runs on
}

func text(pieces []piece) string {
	var words []string
	for _, piece := range pieces {
		if piece.Text != "" {
			words = append(words, piece.Text)
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

// Parse implements kit.Format.
func (e *event) Parse(line []byte) error {
	e.record = record{}
	return json.Unmarshal(line, &e.record)
}

// Version implements kit.Format: no event says it.
func (e *event) Version() string { return "" }

// State implements kit.Format: an event needs nothing of those before it.
func (e *event) State() (json.RawMessage, error) { return json.RawMessage(`{}`), nil }

// Read implements kit.Format.
func (e *event) Read(kind string) {
	switch kind {
	case "SystemPromptEvent":
		e.place()
	case "MessageEvent":
		e.message()
	case "ActionEvent":
		e.action()
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		e.result(kind)
	case "Condensation":
		e.emit("0", transcript.Event{Kind: transcript.Compacted, Text: strings.TrimSpace(e.record.Summary), Compaction: &transcript.CompactionInfo{Trigger: "auto"}})
	case "PauseEvent":
		e.emit("0", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnInterrupted})
	}
}

// place tells where the conversation takes place.
func (e *event) place() {
	event := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{}}
	if e.cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: e.cwd}
	}
	e.emit("place", event)
}

// emit adds an event made from this one. Its time is what a clock showed.
func (e *event) emit(part string, made transcript.Event) transcript.Event {
	made.ID, made.Session = e.record.ID+"#"+part, e.session
	if at, err := time.Parse("2006-01-02T15:04:05.999999999", e.record.Time); err == nil {
		made.Time, made.Civil = at, true
	}
	return e.Add(made)
}
