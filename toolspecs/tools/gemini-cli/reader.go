// Package geminicli reads the chats of Gemini CLI. A chat is a log of changes:
// messages are written again when they grow, the history is replaced as a
// whole, and turns are taken back. Older versions rewrite one JSON document.
package geminicli

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
const revision = 2

// Reader reads Gemini CLI's chats by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader {
	return &Reader{kit.For(spec)}
}

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Rewrites implements transcript.Rewriter: the older form is one document.
func (r *Reader) Rewrites(src transcript.Source) bool {
	return strings.HasSuffix(src.Path, ".json")
}

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	chat := &chat{}
	chat.Reader, chat.parent = r, parentOf(src.Path)
	if r.Rewrites(src) {
		if pos.Offset > 0 {
			return nil, fmt.Errorf("%w: a document is read as a whole", transcript.ErrState)
		}
		return kit.DecodeWhole(in, "transcript", maxDocument, chat.document), nil
	}
	if err := transcript.DecodeState(pos.State, &chat.state); err != nil {
		return nil, err
	}
	return kit.Decode(in, pos, chat), nil
}

// parentOf is the session a subagent's file belongs to: its folder is called
// by the session's id. Main files lie in the folder chats.
func parentOf(file string) string {
	folder := path.Base(path.Dir(filepath.ToSlash(file)))
	if len(folder) == len("00000000-0000-0000-0000-000000000000") && strings.Count(folder, "-") == 4 {
		return folder
	}
	return ""
}

// chat is one file being read.
type chat struct {
	calls
	record []byte // being read
}

// State implements kit.Format.
func (c *chat) State() (json.RawMessage, error) {
	return transcript.EncodeState(&c.state, c.state.forget)
}

// Parse implements kit.Format.
func (c *chat) Parse(line []byte) error {
	c.record = line
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) || !json.Valid(line) {
		return transcript.ErrBroken
	}
	return nil
}

// Version implements kit.Format: the files do not say which version wrote them.
func (c *chat) Version() string { return "" }

// Read implements kit.Format.
func (c *chat) Read(name string) {
	record := c.record
	switch name {
	case "session":
		c.session(record)
	case "$set":
		c.set(transcript.Member(record, "$set"))
	case "$rewindTo":
		c.rewind(transcript.Text(transcript.Member(record, "$rewindTo")))
	case "user", "gemini":
		c.message(name, parseMessage(record))
	case "error", "info":
		c.notice(name, parseMessage(record))
	}
}

func (c *chat) message(kind string, m message) {
	switch {
	case c.repeated(kind, m):
	case kind == "user":
		c.user(m)
	default:
		c.model(m)
	}
}

// repeating is how long the tool takes at most to write its history again.
const repeating = 2 * time.Second

// repeated says that a message is one of a history that is written again, with
// new ids: so the tool does when it takes a turn back, before it replaces the
// list. Such a history begins with the opening context and the first prompt in
// one message.
func (c *chat) repeated(kind string, m message) bool {
	if kind == "user" && len(c.state.Prompts) > 0 && c.spoken(m).context != "" && len(texts(m.Content)) > 1 {
		c.state.Repeats = m.Time
	}
	if c.state.Repeats.IsZero() || m.Time.Sub(c.state.Repeats) > repeating {
		c.state.Repeats = time.Time{}
		return false
	}
	return true
}

// message is one message, with its large parts left as they stand.
type message struct {
	ID                              string
	Time                            time.Time
	Model                           string
	Content, Display, Calls, Tokens []byte
}

func parseMessage(record []byte) message {
	var m message
	for walker := transcript.Walk(record); ; {
		key, value, ok := walker.Next()
		if !ok {
			return m
		}
		switch string(key) {
		case "id":
			m.ID = transcript.Text(value)
		case "timestamp":
			m.Time = kit.Time(transcript.Text(value))
		case "model":
			m.Model = transcript.Text(value)
		case "content":
			m.Content = value
		case "displayContent":
			m.Display = value
		case "toolCalls":
			m.Calls = value
		case "tokens":
			m.Tokens = value
		}
	}
}

// texts are the texts of a content: a string, a part, or parts of which some
// are no text.
func texts(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	switch content[0] {
	case '"':
		return []string{transcript.Text(content)}
	case '{':
		return []string{transcript.Text(transcript.Member(content, "text"))}
	}
	var list []string
	for _, part := range transcript.Elements(content) {
		if part[0] == '"' {
			list = append(list, transcript.Text(part))
		} else if text := transcript.Member(part, "text"); text != nil {
			list = append(list, transcript.Text(text))
		}
	}
	return list
}
