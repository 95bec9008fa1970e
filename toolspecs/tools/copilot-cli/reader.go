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
)

// revision rises when the same bytes would give other events.
const revision = 4

// Reader reads Copilot CLI's sessions by the tables of its spec.
type Reader struct {
	spec   *toolspecs.Spec
	sorter *toolspecs.Sorter
	calls  *toolspecs.CallTable
}

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{spec: spec, sorter: spec.Records.Sorter(), calls: spec.CallTable()}
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
	return transcript.DecodeLines(in, pos, session), nil
}

// folderOf is the session a file belongs to until its first record names it:
// the folder is called by the session's id.
func folderOf(file string) string {
	return path.Base(path.Dir(filepath.ToSlash(file)))
}

// session is one file being read.
type session struct {
	*Reader
	state state

	// The line being mapped.
	batch  *transcript.Batch
	line   transcript.Line
	record record
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
			// A time that cannot be read stays unknown.
			if read, err := time.Parse(time.RFC3339Nano, transcript.Text(value)); err == nil {
				rec.Time = read.UTC()
			}
		case "agentId":
			rec.Agent = transcript.Text(value)
		case "data":
			rec.Data = value
		}
	}
}

// State implements transcript.LineMapper.
func (s *session) State() (json.RawMessage, error) {
	return transcript.EncodeState(&s.state, s.state.forget)
}

// Map implements transcript.LineMapper.
func (s *session) Map(line transcript.Line, batch *transcript.Batch) {
	batch.Coverage.Records++
	name, class := s.sorter.Sort(line.Text)
	if class == toolspecs.Skipped {
		batch.Coverage.Skipped++
		return
	}
	rec, err := parseRecord(line.Text)
	if err != nil {
		batch.Coverage.Broken++
		return
	}
	if class == toolspecs.Unknown {
		batch.Coverage.CountUnknown(s.state.Version, name, 1)
		return
	}
	batch.Coverage.Read++
	s.batch, s.line, s.record = batch, line, rec
	s.read(name)
	s.batch, s.line, s.record = nil, transcript.Line{}, record{}
}

func (s *session) read(name string) {
	switch name {
	case "session.start", "session.resume", "session.context_changed":
		s.place()
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
	event.Tool, event.Session = s.spec.Tool, s.state.Session
	if event.Time.IsZero() {
		event.Time = s.record.Time
	}
	event.Subagent = s.record.Agent != ""
	ref := s.line.Ref()
	if n := len(s.batch.Events); n > 0 && s.batch.Events[n-1].Ref.Line == ref.Line {
		ref.Block = s.batch.Events[n-1].Ref.Block + 1
	}
	s.batch.Events = append(s.batch.Events, transcript.Located{Event: event, Ref: ref})
	return event
}

// recordID is the line's id, else its place in the session.
func (s *session) recordID() string {
	if s.record.ID != "" {
		return s.record.ID
	}
	return s.state.Session + "/" + strconv.FormatInt(s.line.Offset, 10)
}

func (s *session) decisions(from transcript.Event, text string) {
	for _, decision := range transcript.DecisionEvents(from, text) {
		s.emit("", decision)
	}
}
