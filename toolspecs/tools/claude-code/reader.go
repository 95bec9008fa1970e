// Package claudecode reads the transcripts of Claude Code: one JSONL file per
// session, appended to, with its subagents in files beside it.
package claudecode

import (
	"encoding/json"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 6

// Reader reads Claude Code's transcripts by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{kit.For(spec)}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	session := &session{}
	session.Reader, session.subagent = r, isSubagent(src.Path)
	if err := transcript.DecodeState(pos.State, &session.state); err != nil {
		return nil, err
	}
	if !session.subagent {
		session.main = sessionOf(src.Path)
	}
	return kit.Decode(in, pos, session), nil
}

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// sessionOf is the session a file belongs to: its name, where that is an id.
func sessionOf(file string) string {
	name := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".jsonl")
	if uuidPattern.MatchString(name) {
		return name
	}
	return ""
}

func isSubagent(file string) bool {
	return path.Base(path.Dir(filepath.ToSlash(file))) == "subagents"
}

// session is one file being read.
type session struct{ calls }

// State implements kit.Format.
func (s *session) State() (json.RawMessage, error) {
	return transcript.EncodeState(&s.state, s.state.forget)
}

// Parse implements kit.Format.
func (s *session) Parse(line []byte) (err error) {
	if s.record, err = parseRecord(line); err == nil && s.record.Version != "" {
		s.state.Version = s.record.Version
	}
	return err
}

// Version implements kit.Format.
func (s *session) Version() string { return s.state.Version }

// Read implements kit.Format.
func (s *session) Read(name string) {
	s.open()
	switch name {
	case "user":
		s.user()
	case "assistant":
		s.assistant()
	case "system/compact_boundary":
		s.boundary()
	case "system/turn_duration", "system/stop_hook_summary":
		s.completed()
	case "attachment/queued_command":
		s.queuedCommand()
	case "attachment/hook_success", "attachment/hook_additional_context":
		s.hookOutput()
	case "attachment/hook_blocking_error":
		s.refused()
	case "attachment/file", "attachment/already_read_file", "attachment/selected_lines_in_ide":
		s.attached()
	case "queue-operation":
		s.queueOperation()
	case "system/away_summary":
		s.recap(transcript.AwaySummary, s.record.Content)
	case "attachment/plan_file_reference":
		s.recap(transcript.PlanFile, transcript.Text(transcript.Member(s.record.Attachment, "planContent")))
	case "summary", "ai-title", "custom-title":
		s.title()
	}
	s.state.seen(s.record.UUID)
}

// open emits what a line says of its session before what it says in it: where
// a copied file came from, and version, directory and branch when they change.
func (s *session) open() {
	if s.subagent && s.record.Agent != "" && s.state.Agent == "" {
		s.state.Agent = s.record.Agent
		s.emit("agent", transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Agent: s.record.Agent}})
	}
	if s.record.Session == "" || s.inSubagent() {
		return
	}
	if s.main != "" && s.record.Session != s.main && !s.state.Copied {
		s.state.Copied = true
		s.emit("", transcript.Event{
			ID: s.main + "#copy", Session: s.main, Kind: transcript.Session,
			Start: &transcript.Start{From: s.record.Session, How: "copy"},
		})
	}
	if s.record.UUID == "" || s.record.Cwd == "" {
		return
	}
	now := workDir{
		Session: s.record.Session, Cwd: s.record.Cwd, Branch: s.record.Branch,
		Version: s.record.Version, Entrypoint: s.record.Entrypoint,
	}
	if now == s.state.workDir {
		return
	}
	s.state.workDir = now
	s.emit("place", transcript.Event{
		Kind:    transcript.Session,
		WorkDir: &transcript.WorkDir{Cwd: now.Cwd, Branch: now.Branch},
		Start: &transcript.Start{
			Version: now.Version, Originator: now.Entrypoint, Headless: s.Spec.HeadlessRecord("entrypoint", now.Entrypoint),
		},
	})
}

// hint is how the tool says where its recaps are turned off.
var hint = regexp.MustCompile(`\s*\([^()]*/config\)$`)

// recap tells what the tool wrote for the user or for itself.
func (s *session) recap(source transcript.RecapSource, text string) {
	if text = strings.TrimSpace(hint.ReplaceAllString(text, "")); text != "" && !s.inSubagent() {
		s.emit("0", transcript.Event{Kind: transcript.Recap, Recap: source, Text: text})
	}
}

// title reads the titles. A summary counts only when it is of this file: older
// versions put the summaries of other sessions at the start of a new one.
func (s *session) title() {
	rec := s.record
	if rec.Type == "summary" && !s.state.has(rec.Leaf) {
		return
	}
	if rec.Title == "" || rec.Title == s.state.Title {
		return
	}
	s.state.Title = rec.Title
	s.emit("0", transcript.Event{Kind: transcript.Title, Text: rec.Title})
}
