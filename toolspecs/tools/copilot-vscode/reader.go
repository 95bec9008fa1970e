// Package copilotvscode reads the chat sessions of GitHub Copilot in VS Code's
// own harness: a JSON file per session that is rewritten, or since 1.109 a
// log of changes to the same state. Sessions of the Copilot CLI's engine, which
// newer versions of VS Code run, are that tool's.
package copilotvscode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 3

// maxFile bounds a session, in bytes: it is held in memory whole.
const maxFile = 64 << 20

// Reader reads chat sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Rewrites implements transcript.Rewriter: a log too is a state, written in pieces.
func (r *Reader) Rewrites(transcript.Source) bool { return true }

// Decode implements transcript.Reader. A session is always read from its start:
// any change may change everything.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	if pos.Offset > 0 || len(pos.State) > 0 {
		return nil, fmt.Errorf("%w: a chat session is read as a whole", transcript.ErrState)
	}
	name := path.Base(filepath.ToSlash(src.Path))
	return kit.DecodeWhole(in, "chat session", maxFile, func(data []byte, batch *transcript.Batch) bool {
		s := &session{Reader: r, batch: batch, id: strings.TrimSuffix(name, path.Ext(name)), cwd: src.Cwd}
		s.whole(data)
		return true
	}), nil
}

// session is one file being read.
type session struct {
	*Reader
	kit.Record
	id    string
	cwd   string // as the folder of the session's workspace says
	batch *transcript.Batch
	from  request // being mapped
	time  time.Time
}

// whole reads the file.
func (s *session) whole(data []byte) {
	s.Ref = transcript.Ref{Length: int64(len(data)), Line: 1}
	if repeated(data) {
		s.pass(data)
	} else {
		s.read(s.state(data))
		s.check(data)
	}
	s.batch.Events = s.Events
}

// state reads a session in either form. A file that is being rewritten is
// half there for a moment.
func (s *session) state(data []byte) any {
	if members := transcript.Members(firstLine(data), "kind", "v"); members[0] != nil {
		return replay(data, &s.batch.Coverage)
	}
	var state any
	if json.Unmarshal(data, &state) != nil {
		kit.Broken(&s.batch.Coverage)
		return nil
	}
	return state
}

// check counts the members of a session that the tool was never seen to write, in
// either form.
func (s *session) check(data []byte) {
	s.CheckCalls(s.Events, &s.batch.Coverage)
	if members := transcript.Members(firstLine(data), "kind", "v"); members[0] == nil {
		s.CheckMembers("session", "", data, &s.batch.Coverage)
		return
	}
	for line := range bytes.Lines(data) {
		s.CheckMembers("change", "", line, &s.batch.Coverage)
		for _, step := range transcript.Elements(transcript.Member(line, "k")) {
			if name := transcript.Text(step); name != "" {
				s.CheckName("change", "", name, &s.batch.Coverage)
			}
		}
	}
}

func firstLine(data []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	return line
}

// repeated says that a file is the linear copy of a session that VS Code hands
// to hooks. The twenty newest of them are kept, the sessions all.
func repeated(data []byte) bool {
	members := transcript.Members(firstLine(data), "type", "data", "parentId")
	return members[0] != nil && members[1] != nil && members[2] != nil
}

// pass counts the records of such a copy.
func (s *session) pass(data []byte) {
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 {
			s.batch.Coverage.Records++
			s.batch.Coverage.Skipped++
		}
	}
}

// read maps a session's state.
func (s *session) read(state any) {
	if at(state, "requests") == nil && at(state, "responderUsername") == nil { // no chat session
		if state != nil {
			kit.Broken(&s.batch.Coverage)
		}
		return
	}
	if id := text(state, "sessionId"); id != "" {
		s.id = id
	}
	s.time = moment(state, "creationDate")
	requests := list(state, "requests")
	s.emit(s.id+"#start", transcript.Event{
		Kind:    transcript.Session,
		Start:   &transcript.Start{Originator: text(state, "initialLocation"), Model: modelOf(requests)},
		WorkDir: s.workDir(requests),
	})
	if title := strings.TrimSpace(text(state, "customTitle")); title != "" {
		s.emit(s.id+"#title", transcript.Event{Kind: transcript.Title, Text: title})
	}
	for i, value := range requests {
		s.request(i, value)
	}
}

// modelOf is the model of the first request that names one.
func modelOf(requests []any) string {
	for _, request := range requests {
		if model := text(request, "modelId"); model != "" {
			return strings.TrimPrefix(model, "copilot/")
		}
	}
	return ""
}

// workDir is the folder of the workspace, else the one that links of an answer
// are relative to: nothing in a session names the folder it was held in.
func (s *session) workDir(requests []any) *transcript.WorkDir {
	if s.cwd != "" {
		return &transcript.WorkDir{Cwd: s.cwd}
	}
	for _, request := range requests {
		for _, part := range list(request, "response") {
			if folder := text(part, "baseUri", "path"); folder != "" && text(part, "baseUri", "scheme") == "file" {
				return &transcript.WorkDir{Cwd: path.Clean(folder)}
			}
		}
	}
	return nil
}

// emit adds an event. All of a session's events stand in the one place there
// is, in the order of the state.
func (s *session) emit(id string, event transcript.Event) transcript.Event {
	event.ID, event.Tool, event.Session = id, s.Spec.Tool, s.id
	if event.Time.IsZero() {
		event.Time = s.time
	}
	return s.Add(event).Event
}

// count counts a record of a session: a request, or a part of its answer.
func (s *session) count(name string) { s.Count(name, &s.batch.Coverage) }
