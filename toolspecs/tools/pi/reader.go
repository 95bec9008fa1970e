// Package pi reads the sessions of pi: one JSONL file per session, appended to.
// Its entries are a tree: whoever goes back continues below an older entry in
// the same file.
package pi

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
const revision = 2

// Reader reads pi's sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	return kit.Resume(in, pos, &session{kit.NewLog[record](r.Tables, &state{})})
}

// state is what one entry needs to know of those before it.
type state struct {
	Session string        `json:"session,omitempty"`
	Born    time.Time     `json:"born,omitzero"`    // of a session that begins with another's entries
	Copied  bool          `json:"copied,omitempty"` // the entries before were another session's
	Tree    tree          `json:"tree,omitzero"`    // the path that is gone on with
	Open    kit.OpenCalls `json:"open,omitempty"`   // calls without a result
}

// Forget implements kit.Memory.
func (s *state) Forget() { *s = state{Session: s.Session} }

// session is one file being read.
type session struct{ kit.Log[record, *state] }

// record is an entry, with its message.
type record struct {
	Type    string    `json:"type"`
	ID      string    `json:"id"`
	Parent  *string   `json:"parentId"`
	Time    time.Time `json:"timestamp"`
	Cwd     string    `json:"cwd"`
	From    string    `json:"parentSession"`
	Message message   `json:"message"`

	CustomType   string          `json:"customType"`
	Content      json.RawMessage `json:"content"`
	Summary      string          `json:"summary"`
	TokensBefore int64           `json:"tokensBefore"`
	Name         string          `json:"name"`
}

// message is what was said or done. A list of parts, or a text.
type message struct {
	Role     string          `json:"role"`
	Content  json.RawMessage `json:"content"`
	Model    string          `json:"model"`
	Stop     string          `json:"stopReason"`
	CallID   string          `json:"toolCallId"`
	ToolName string          `json:"toolName"`
	IsError  bool            `json:"isError"`
	Usage    struct {
		Total int64 `json:"totalTokens"`
	} `json:"usage"`

	// Of a command that the user ran.
	Command   string `json:"command"`
	Output    string `json:"output"`
	ExitCode  *int   `json:"exitCode"`
	Cancelled bool   `json:"cancelled"`
}

// Read implements kit.Format.
func (s *session) Read(kind string) {
	if kind == "session" {
		s.opened()
		return
	}
	s.goesOn(kind == "message/user")
	switch kind {
	case "message/user":
		s.prompt()
	case "message/assistant":
		s.answer()
	case "message/toolResult":
		s.result()
	case "message/bashExecution":
		s.ranByUser()
	case "custom_message":
		s.put()
	case "compaction":
		s.emit("0", transcript.Event{Kind: transcript.Compacted, Text: strings.TrimSpace(s.Record.Summary), Compaction: &transcript.CompactionInfo{
			PreTokens: s.Record.TokensBefore,
		}})
	case "session_info":
		if s.Record.Name != "" {
			s.emit("0", transcript.Event{Kind: transcript.Title, Text: s.Record.Name})
		}
	}
}

// opened reads the first line. A fork or a clone begins with the entries of the
// session it came from, which are older than the file.
func (s *session) opened() {
	s.Memory.Session = s.Record.ID
	start := &transcript.Start{EndsTurns: true}
	if s.Record.From != "" {
		start.From, start.How, s.Memory.Born = sessionOf(s.Record.From), "fork", s.Record.Time
	}
	s.emit("place", transcript.Event{Kind: transcript.Session, Start: start, WorkDir: &transcript.WorkDir{Cwd: s.Record.Cwd}})
}

// sessionOf is the id in the name of a session's file.
func sessionOf(file string) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), ".jsonl")
	return name[strings.LastIndexByte(name, '_')+1:]
}

// goesOn says what is taken back where an entry hangs below an older one, and
// where the entries of another session end.
func (s *session) goesOn(prompt bool) {
	if !s.Memory.Born.IsZero() {
		switch {
		case s.Record.Time.Before(s.Memory.Born):
			s.Memory.Copied = true
		default:
			s.Memory.Born = time.Time{}
			if s.Memory.Copied {
				s.emit("boundary", transcript.Event{Kind: transcript.Session, Start: &transcript.Start{How: transcript.Boundary}})
			}
		}
	}
	if taken := s.Memory.Tree.add(s.Record.ID, s.Record.Parent, prompt); taken > 0 {
		s.emit("back", transcript.Event{Kind: transcript.Rollback, Turns: taken})
	}
}

// emit adds an event made from this entry. Its id is the session's and the
// entry's: a fork repeats the entries of another session.
func (s *session) emit(part string, event transcript.Event) transcript.Event {
	id := s.Record.ID
	if id == "" {
		id = strconv.FormatInt(s.Offset(), 10)
	}
	event.ID, event.Session = s.Memory.Session+"/"+id+"#"+part, s.Memory.Session
	event.Time = s.Record.Time.UTC()
	return s.Add(event)
}
