// Package copilotcli reads the sessions of GitHub Copilot CLI: one events.jsonl
// per session, appended to, with the records of its subagents in between.
package copilotcli

import (
	"encoding/json"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 4

// Reader reads Copilot CLI's sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{kit.For(spec)}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	session := &session{Reader: r}
	if err := transcript.DecodeState(pos.State, &session.state); err != nil {
		return nil, err
	}
	if session.state.Session == "" {
		session.state.Session = folderOf(src.Path)
	}
	return kit.Decode(in, pos, session), nil
}

// folderOf is the session a file belongs to until its first record names it:
// the folder is called by the session's id.
func folderOf(file string) string {
	return path.Base(path.Dir(filepath.ToSlash(file)))
}

// session is one file being read.
type session struct {
	*Reader
	kit.Lines
	state  state
	record record // being read
}

// record is a line, with its data left as it stands.
type record struct {
	ID    string
	Time  time.Time
	Agent string // set on records of a subagent
	Data  []byte
}

func parseRecord(line []byte) (record, error) {
	var rec record
	walker := transcript.Walk(line)
	for {
		key, value, ok := walker.Next()
		if !ok {
			return rec, walker.Err()
		}
		switch string(key) {
		case "id":
			rec.ID = transcript.Text(value)
		case "timestamp":
			rec.Time = kit.Time(transcript.Text(value))
		case "agentId":
			rec.Agent = transcript.Text(value)
		case "data":
			rec.Data = value
		}
	}
}

// State implements kit.Format.
func (s *session) State() (json.RawMessage, error) {
	return transcript.EncodeState(&s.state, s.state.forget)
}

// Parse implements kit.Format.
func (s *session) Parse(line []byte) (err error) {
	s.record, err = parseRecord(line)
	return err
}

// Version implements kit.Format.
func (s *session) Version() string { return s.state.Version }

// Read implements kit.Format.
func (s *session) Read(name string) {
	switch name {
	case "session.start", "session.resume", "session.context_changed":
		s.readWorkDir()
	case "user.message":
		s.prompt()
	case "hook.end":
		s.hookOutput()
	case "assistant.message":
		s.message()
	case "tool.execution_start":
		s.started()
	case "tool.execution_complete":
		s.result()
	case "assistant.turn_end":
		s.turnEnd()
	case "abort", "session.error":
		s.broken(name)
	case "session.usage_record":
		s.usage()
	case "session.compaction_complete":
		s.compacted()
	}
}

// emit adds an event made from this line. Its id is the line's and a part.
func (s *session) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = s.recordID() + "#" + part
	}
	event.Session = s.state.Session
	if event.Time.IsZero() {
		event.Time = s.record.Time
	}
	event.Subagent = s.record.Agent != ""
	return s.Add(event)
}

// recordID is the line's id, else its place in the session.
func (s *session) recordID() string {
	if s.record.ID != "" {
		return s.record.ID
	}
	return s.state.Session + "/" + strconv.FormatInt(s.Offset(), 10)
}
