// Package droid reads the sessions of Factory's Droid: one JSONL file per
// session, appended to, whose messages have the parts of Anthropic's.
package droid

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads Droid's sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	return kit.Resume(in, pos, &session{kit.NewLog[record](r.Tables, &state{})})
}

// state is what one record needs to know of those before it.
type state struct {
	Session string        `json:"session,omitempty"`
	Time    time.Time     `json:"time,omitzero"` // of the last record that has one
	Open    kit.OpenCalls `json:"open,omitempty"`
}

// Forget implements kit.Memory.
func (s *state) Forget() { s.Open = nil }

// session is one file being read.
type session struct{ kit.Log[record, *state] }

// record is a line.
type record struct {
	ID      string          `json:"id"`
	Time    time.Time       `json:"timestamp"`
	Title   string          `json:"title"`
	Cwd     string          `json:"cwd"`
	Caller  string          `json:"callingSessionId"`
	Reason  string          `json:"reason"`
	Summary string          `json:"summaryText"`
	Todos   json.RawMessage `json:"todos"`
	Message struct {
		Content    json.RawMessage `json:"content"`
		Visibility string          `json:"visibility"`
		Results    []struct {
			Stdout string `json:"stdout"`
		} `json:"hookResults"`
	} `json:"message"`
}

// Read implements kit.Format.
func (s *session) Read(kind string) {
	if !s.Record.Time.IsZero() {
		s.Memory.Time = s.Record.Time.UTC()
	}
	switch kind {
	case "session_start":
		s.opened()
	case "message/user":
		s.user()
	case "message/assistant":
		s.assistant()
	case "todo_state":
		if items := todos(s.Record.Todos); items != nil {
			s.emit("0", transcript.Event{Kind: transcript.Todo, Items: items})
		}
	case "compaction_state":
		s.emit("0", transcript.Event{Kind: transcript.Compacted, Text: strings.TrimSpace(s.Record.Summary), Compaction: &transcript.CompactionInfo{}})
	case "agent_turn_outcome":
		if ended := endings[s.Record.Reason]; ended != "" {
			s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: ended})
		}
	}
}

// endings are how a turn ended.
var endings = map[string]string{
	"completed": transcript.TurnCompleted, "cancelled": transcript.TurnInterrupted, "interrupted": transcript.TurnInterrupted,
	"error": transcript.TurnFailed, "failed": transcript.TurnFailed,
}

func (s *session) opened() {
	s.Memory.Session = s.Record.ID
	start := &transcript.Start{}
	if s.Record.Caller != "" {
		start.From, start.How = s.Record.Caller, "subagent"
	}
	s.emit("place", transcript.Event{Kind: transcript.Session, Start: start, WorkDir: &transcript.WorkDir{Cwd: s.Record.Cwd}})
}

// emit adds an event made from this record.
func (s *session) emit(part string, event transcript.Event) transcript.Event {
	id := s.Record.ID
	if id == "" {
		id = strconv.FormatInt(s.Offset(), 10)
	}
	event.ID, event.Session, event.Time = s.Memory.Session+"/"+id+"#"+part, s.Memory.Session, s.Memory.Time
	return s.Add(event)
}
