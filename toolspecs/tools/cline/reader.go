// Package cline reads the sessions of Cline's CLI, and the tasks of its editor
// extension and of the extension's forks: one JSON document per session,
// rewritten with each message.
package cline

import (
	"encoding/json"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// maxDocument bounds one session, in bytes: all of it has to be held.
const maxDocument = 64 << 20

// Reader reads such documents by the tables of its spec.
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
	read := func(data []byte, batch *transcript.Batch) bool { return r.document(src, data, batch) }
	return kit.DecodeWhole(in, "session of "+r.Spec.Name, maxDocument, r.Checked("session", read)), nil
}

// document is a session: an object with its messages, or the list of them alone.
type document struct {
	Session  string            `json:"sessionId"`
	Messages []json.RawMessage `json:"messages"`
}

// document tells of a whole session; false says that it is not whole yet.
func (r *Reader) document(src transcript.Source, data []byte, batch *transcript.Batch) bool {
	var doc document
	if json.Unmarshal(data, &doc) != nil && json.Unmarshal(data, &doc.Messages) != nil {
		return false
	}
	if doc.Session == "" {
		doc.Session = sessionOf(src.Path)
	}
	s := &session{Reader: r, id: doc.Session, calls: map[string]call{}}
	s.At(transcript.Ref{Length: int64(len(data))}, batch, r.Spec.Tool)
	opening := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{}}
	if src.Cwd != "" {
		opening.WorkDir = &transcript.WorkDir{Cwd: src.Cwd}
	}
	s.emit("start", opening)
	for n, raw := range doc.Messages {
		s.message(n, raw, &batch.Coverage)
	}
	return true
}

// sessionOf is the task in whose folder a file lies, else what it is called.
func sessionOf(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if base := path.Base(file); base != taskFile {
		return strings.TrimSuffix(strings.TrimSuffix(base, ".json"), ".messages")
	}
	return path.Base(path.Dir(file))
}

// taskFile is what the extension calls the messages of a task.
const taskFile = "api_conversation_history.json"

// session is one document being read.
type session struct {
	*Reader
	kit.Lines
	id    string
	at    time.Time
	place string // of the message being read
	calls map[string]call
}

// call is one whose result has not come.
type call struct{ event, name string }

// emit adds an event. Its id is the session's and the message's place in it:
// messages are only added.
func (s *session) emit(part string, event transcript.Event) transcript.Event {
	event.ID, event.Session, event.Time = s.id+"/"+s.place+"#"+part, s.id, s.at
	return s.Add(event)
}

func (s *session) message(n int, raw json.RawMessage, coverage *transcript.Coverage) {
	var said message
	if json.Unmarshal(raw, &said) != nil {
		kit.Broken(coverage)
		return
	}
	if !s.Count(said.Role, coverage) {
		return
	}
	s.place = strconv.Itoa(n)
	if said.Time > 0 {
		s.at = time.UnixMilli(said.Time).UTC()
	}
	if said.Role == "assistant" {
		s.answer(said)
		return
	}
	s.user(said)
}
