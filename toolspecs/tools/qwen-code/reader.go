// Package qwencode reads the chats of Qwen Code: one JSONL file per session,
// appended to, with its subagents in files of their own. The lines have the
// envelope of Claude Code's transcripts, the messages in them the shape of
// Gemini's.
package qwencode

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads Qwen Code's chats by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	c := &chat{Reader: r}
	if err := transcript.DecodeState(pos.State, &c.state); err != nil {
		return nil, err
	}
	return kit.Decode(in, pos, c), nil
}

// maxPrompts and maxOpen bound what is remembered from line to line.
const (
	maxPrompts = 500
	maxOpen    = 64
)

// state is what one record needs to know of those before it.
type state struct {
	workDir
	Agent string `json:"agent,omitempty"` // of a subagent's file, once it is known
	// Prompts are fingerprints of the records before the user's prompts, in
	// order: a rewind names the one that stands before what it takes back.
	Prompts []uint32   `json:"prompts,omitempty"`
	Open    []openCall `json:"open,omitempty"`
}

// workDir is what a session event reports.
type workDir struct {
	Session string `json:"session,omitempty"`
	Cwd     string `json:"cwd,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Version string `json:"version,omitempty"`
}

// openCall is a call whose result has not come, with what it asked the user and
// the todos that it sets if it goes well.
type openCall struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Event     string            `json:"event"`
	Questions []question        `json:"questions,omitempty"`
	Todos     []transcript.Item `json:"todos,omitempty"`
}

// forget drops all but what the events' identity hangs on.
func (s *state) forget() { *s = state{workDir: s.workDir, Agent: s.Agent} }

// chat is one file being read.
type chat struct {
	*Reader
	kit.Lines
	state  state
	record record // being read
}

// record is a line, with its large parts left as they stand.
type record struct {
	UUID       string          `json:"uuid"`
	Parent     string          `json:"parentUuid"`
	Session    string          `json:"sessionId"`
	Time       time.Time       `json:"timestamp"`
	Provenance string          `json:"provenance"`
	Cwd        string          `json:"cwd"`
	Version    string          `json:"version"`
	Branch     string          `json:"gitBranch"`
	Agent      string          `json:"agentId"`
	Sidechain  bool            `json:"isSidechain"`
	Model      string          `json:"model"`
	Message    message         `json:"message"`
	Payload    json.RawMessage `json:"systemPayload"`
	Result     callResult      `json:"toolCallResult"`
	Usage      struct {
		Total int64 `json:"totalTokenCount"`
	} `json:"usageMetadata"`
}

// message is what was said, in parts.
type message struct {
	Parts []part `json:"parts"`
}

// part is a text, a call, or the answer to one.
type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Call    *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Response struct {
			Output string `json:"output"`
			Error  string `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

// callResult says how a call ended.
type callResult struct {
	Status string `json:"status"` // success, error, cancelled; not in a subagent's file
}

// Parse implements kit.Format.
func (c *chat) Parse(line []byte) error {
	c.record = record{}
	return json.Unmarshal(line, &c.record)
}

// Version implements kit.Format.
func (c *chat) Version() string { return c.record.Version }

// State implements kit.Format.
func (c *chat) State() (json.RawMessage, error) {
	return transcript.EncodeState(&c.state, c.state.forget)
}

// Read implements kit.Format.
func (c *chat) Read(kind string) {
	c.open()
	switch kind {
	case "user", "user/mid_turn_user_message":
		c.prompt(kind)
	case "user/notification":
		c.emit("0", transcript.Event{Kind: transcript.Prompt, Text: c.text(), Origin: transcript.Machine})
	case "assistant":
		c.message()
	case "tool_result":
		c.results()
	case "system/chat_compression":
		c.compacted()
	case "system/rewind":
		c.rewind()
	case "system/custom_title":
		if title := transcript.Text(transcript.Member(c.record.Payload, "customTitle")); title != "" {
			c.emit("0", transcript.Event{Kind: transcript.Title, Text: title})
		}
	}
}

// open tells of the session, and of what has changed of its place.
func (c *chat) open() {
	rec := c.record
	if rec.Sidechain {
		if c.state.Agent == "" && rec.Agent != "" {
			c.state.Agent = rec.Agent
			c.emit("agent", transcript.Event{Kind: transcript.Session, Start: &transcript.Start{Agent: rec.Agent}})
		}
		return
	}
	now := workDir{Session: rec.Session, Cwd: rec.Cwd, Branch: rec.Branch, Version: rec.Version}
	if now == c.state.workDir || rec.Cwd == "" {
		return
	}
	c.state.workDir = now
	c.emit("place", transcript.Event{
		Kind: transcript.Session, Start: &transcript.Start{Version: now.Version},
		WorkDir: &transcript.WorkDir{Cwd: now.Cwd, Branch: now.Branch},
	})
}

// emit adds an event made from this record. Its id is the record's and a part.
func (c *chat) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = c.recordID() + "#" + part
	}
	event.Session, event.Subagent = c.record.Session, c.record.Sidechain
	if event.Time.IsZero() {
		event.Time = c.record.Time.UTC()
	}
	return c.Add(event)
}

// recordID is the record's own, else its place in the session.
func (c *chat) recordID() string {
	if c.record.UUID != "" {
		return c.record.UUID
	}
	return c.record.Session + "/" + strconv.FormatInt(c.Offset(), 10)
}
