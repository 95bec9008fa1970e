// Package script writes sessions as events, for tests: each method appends
// what a reader would have made of one record.
package script

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Session is a session being written. Every event gets the next line, the next
// offset and the next second.
type Session struct {
	Tool   string
	ID     string
	Cwd    string
	Branch string
	Events []transcript.Located

	calls int
}

// New begins a session in a directory.
func New(tool, id, cwd string) *Session {
	s := &Session{Tool: tool, ID: id, Cwd: cwd, Branch: "main"}
	s.add(transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Version: "1.0.0"}, WorkDir: &transcript.WorkDir{Cwd: cwd, Branch: s.Branch}})
	return s
}

var began = time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)

func (s *Session) add(e transcript.Event) *Session {
	n := len(s.Events) + 1
	e.Tool, e.Session, e.ID = s.Tool, s.ID, fmt.Sprintf("%s-%d#0", s.ID, n)
	e.Time = began.Add(time.Duration(n) * time.Second)
	s.Events = append(s.Events, transcript.Located{Event: e, Ref: transcript.Ref{Offset: int64(n) * 100, Length: 100, Line: int64(n)}})
	return s
}

// All yields the events in order.
func (s *Session) All() iter.Seq[transcript.Located] { return slices.Values(s.Events) }

// Event appends an event of any kind.
func (s *Session) Event(e transcript.Event) *Session { return s.add(e) }

// User is a prompt the person typed.
func (s *Session) User(text string) *Session {
	return s.add(transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
}

// Prompt is a prompt of any origin.
func (s *Session) Prompt(origin transcript.Origin, text string) *Session {
	return s.add(transcript.Event{Kind: transcript.Prompt, Text: text, Origin: origin})
}

// Agent is prose of the agent.
func (s *Session) Agent(text string) *Session {
	return s.add(transcript.Event{Kind: transcript.Reply, Text: text})
}

// Shell is a command with its exit status and output.
func (s *Session) Shell(command string, exit int, output string) *Session {
	s.call(transcript.CallInfo{Name: "Bash", Meaning: transcript.Shell, Command: command})
	return s.Result(transcript.ResultInfo{Failed: exit != 0, ExitCode: &exit, Text: output})
}

// Edit is a successful edit of a file.
func (s *Session) Edit(path string, symbols ...string) *Session {
	s.call(transcript.CallInfo{Name: "Edit", Meaning: transcript.Edit, Paths: []string{path}})
	if len(symbols) > 0 {
		s.Code(transcript.CodeInfo{Path: path}, symbols...)
	}
	return s.Result(transcript.ResultInfo{Text: "ok"})
}

// Code is what the text of the last edit shows.
func (s *Session) Code(info transcript.CodeInfo, symbols ...string) *Session {
	call := s.Events[len(s.Events)-1].Call
	return s.add(transcript.Event{Kind: transcript.Code, Parent: call.ID, Symbols: symbols, Code: &info})
}

// Write is a file written whole.
func (s *Session) Write(path string) *Session {
	s.call(transcript.CallInfo{Name: "Write", Meaning: transcript.Write, Paths: []string{path}})
	return s.Result(transcript.ResultInfo{Text: "ok"})
}

// Read is a file read.
func (s *Session) Read(path string) *Session {
	s.call(transcript.CallInfo{Name: "Read", Meaning: transcript.Read, Paths: []string{path}})
	return s.Result(transcript.ResultInfo{Text: "1 package a"})
}

// Call is a call without a result.
func (s *Session) Call(info transcript.CallInfo) *Session { return s.call(info) }

func (s *Session) call(info transcript.CallInfo) *Session {
	s.calls++
	if info.ID == "" {
		info.ID = fmt.Sprintf("call-%d", s.calls)
	}
	return s.add(transcript.Event{Kind: transcript.Call, Call: &info})
}

// Result answers the last call.
func (s *Session) Result(r transcript.ResultInfo) *Session {
	if r.CallID == "" {
		r.CallID = fmt.Sprintf("call-%d", s.calls)
	}
	return s.add(transcript.Event{Kind: transcript.Result, Result: &r})
}

// Todo is the whole list of steps.
func (s *Session) Todo(items ...transcript.Item) *Session {
	return s.add(transcript.Event{Kind: transcript.Todo, Items: items})
}

// Asks is a question of an asking tool.
func (s *Session) Asks(question string, options ...string) *Session {
	d := &transcript.Decision{Question: question, Kind: "asked", CallID: fmt.Sprintf("ask-%d", len(s.Events))}
	for _, o := range options {
		d.Options = append(d.Options, transcript.Option{Label: o})
	}
	return s.add(transcript.Event{Kind: transcript.Question, Decision: d})
}

// Decides answers a question, or records another decision.
func (s *Session) Decides(d transcript.Decision) *Session {
	return s.add(transcript.Event{Kind: transcript.Decided, Decision: &d})
}

// Ends ends a turn.
func (s *Session) Ends(how string) *Session {
	return s.add(transcript.Event{Kind: transcript.Turn, Text: how})
}
