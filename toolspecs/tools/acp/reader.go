// Package acp reads what `carryover acp` writes down of a session between an editor
// and an agent: one file for each session, one message of the Agent Client Protocol
// (version 1) a line, as it passed.
package acp

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/coder/acp-go-sdk"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads the sessions of one tool that were carried on in an editor.
type Reader struct{ *kit.Tables }

// New is a reader of the sessions of agents that have no spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// For is the reader of the sessions of a tool that has a spec: they are that tool's.
func (r *Reader) For(tool string) *Reader {
	spec := *r.Spec
	spec.Tool = tool
	return &Reader{&kit.Tables{Spec: &spec, Sorter: r.Sorter, Calls: r.Calls}}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	s := &session{Reader: r}
	if err := transcript.DecodeState(pos.State, &s.state); err != nil {
		return nil, err
	}
	return kit.Decode(in, pos, s), nil
}

// Record is one line of a file. Message is what passed, as it was sent; the other
// members are those of a record of type open, and Why that of one of type end.
type Record struct {
	Type    string          `json:"type"` // open, editor, agent, end
	ACP     int             `json:"acp"`  // version of the protocol
	Time    time.Time       `json:"time"`
	Session string          `json:"session"`
	Cwd     string          `json:"cwd,omitempty"`
	Agent   string          `json:"agent,omitempty"`   // as it calls itself
	Version string          `json:"version,omitempty"` // of the agent
	Why     string          `json:"why,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`
}

// Message is one message of JSON-RPC.
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// session is one file being read.
type session struct {
	*Reader
	kit.Lines
	state  state
	record Record
}

// Parse implements kit.Format.
func (s *session) Parse(line []byte) error {
	s.record = Record{}
	return json.Unmarshal(line, &s.record)
}

// Version implements kit.Format.
func (s *session) Version() string { return s.state.Version }

// State implements kit.Format.
func (s *session) State() (json.RawMessage, error) {
	return transcript.EncodeState(&s.state, s.state.forget)
}

// Read implements kit.Format.
func (s *session) Read(kind string) {
	var message Message
	if len(s.record.Message) > 0 && json.Unmarshal(s.record.Message, &message) != nil {
		s.Coverage().CountUnknown(s.state.Version, "message", 1)
		return
	}
	switch kind {
	case "open":
		s.open()
	case "end":
		s.flush()
	case "editor":
		s.fromEditor(message)
	default:
		s.fromAgent(message)
	}
}

func (s *session) open() {
	s.flush()
	s.state.Version = s.record.Version
	event := s.event(transcript.Session)
	event.Start = &transcript.Start{Version: s.record.Version, Originator: strings.TrimSpace("acp " + s.record.Agent)}
	if s.record.Cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: s.record.Cwd}
	}
	s.Add(event)
}

// event is an event of the record that is read.
func (s *session) event(kind transcript.Kind) transcript.Event {
	return transcript.Event{
		Session: s.record.Session, Time: s.record.Time.UTC(), Kind: kind,
		ID: "acp:" + s.record.Session + ":" + strconv.FormatInt(s.Offset(), 10) + ":" + string(kind),
	}
}

func (s *session) fromEditor(m Message) {
	switch {
	case m.Method == acp.AgentMethodSessionPrompt:
		s.flush()
		s.state.Prompt = string(m.ID)
		s.prompt(m.Params)
	case m.Method == "" && s.state.Asked[string(m.ID)] != nil:
		asked := s.state.Asked[string(m.ID)]
		delete(s.state.Asked, string(m.ID))
		s.answered(*asked, m.Result)
	}
}

func (s *session) fromAgent(m Message) {
	switch {
	case m.Method == acp.ClientMethodSessionUpdate:
		var n acp.SessionNotification
		if err := json.Unmarshal(m.Params, &n); err != nil {
			s.Coverage().CountUnknown(s.state.Version, "update "+transcript.Text(transcript.Member(transcript.Member(m.Params, "update"), "sessionUpdate")), 1)
			return
		}
		s.update(n.Update)
	case m.Method == "" && s.state.Prompt != "" && string(m.ID) == s.state.Prompt:
		s.state.Prompt = ""
		s.turn(m)
	case m.Method != "" && len(m.ID) > 0:
		s.asks(m)
	}
}

// turn ends a turn as the agent answers the prompt.
func (s *session) turn(m Message) {
	s.flush()
	event := s.event(transcript.Turn)
	event.Text = transcript.TurnCompleted
	var response acp.PromptResponse
	switch {
	case len(m.Error) > 0 || json.Unmarshal(m.Result, &response) != nil:
		event.Text = transcript.TurnFailed
	case response.StopReason == acp.StopReasonCancelled:
		event.Text = transcript.TurnInterrupted
	case response.StopReason != acp.StopReasonEndTurn:
		event.Text = transcript.TurnFailed
	}
	if s.state.Compacts && event.Text == transcript.TurnCompleted {
		s.compacted("manual", 0, 0)
	}
	s.state.Compacts = false
	s.Add(event)
}

// prompt takes what the person sent, without what we put before it.
func (s *session) prompt(params json.RawMessage) {
	var request acp.PromptRequest
	if json.Unmarshal(params, &request) != nil {
		s.Coverage().CountUnknown(s.state.Version, "prompt", 1)
		return
	}
	event := s.event(transcript.Prompt)
	for _, block := range request.Prompt {
		switch text := blockText(block); {
		case transcript.Ours(text):
			s.Add(s.event(transcript.Restored))
		case text != "":
			event.Text = joined(event.Text, text)
		}
	}
	event.Origin = transcript.Typed
	if name, ok := s.command(event.Text); ok {
		event.Origin, s.state.Compacts = transcript.Machine, transcript.Compacts(name)
	}
	if event.Text != "" {
		s.Add(event)
	}
}

// joined is a prompt with its next block: an editor cuts it where a file is mentioned.
func joined(text, next string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], " \n(") || strings.ContainsAny(next[:1], " \n.,;:!?)") {
		return text + next
	}
	return text + " " + next
}

// command is the command that a prompt is, of those that the agent has offered.
func (s *session) command(text string) (name string, ok bool) {
	name, _, _ = strings.Cut(strings.TrimPrefix(text, "/"), " ")
	return name, strings.HasPrefix(text, "/") && s.state.Commands[name]
}

// blockText is what a content block says in words: a link is its name.
func blockText(block acp.ContentBlock) string {
	switch {
	case block.Text != nil:
		return block.Text.Text
	case block.ResourceLink != nil:
		return block.ResourceLink.Name
	case block.Resource != nil && block.Resource.Resource.TextResourceContents != nil:
		return block.Resource.Resource.TextResourceContents.Uri
	}
	return ""
}
