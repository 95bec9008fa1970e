// Package antigravity reads the conversations of Antigravity CLI: a folder per
// conversation with one JSONL file of its steps, appended to. No step names the
// conversation or its project: the path and a file beside it do.
package antigravity

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// Reader reads such conversations by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	return kit.Resume(in, pos, &conversation{Log: kit.NewLog[step](r.Tables, &state{}), id: conversationOf(src.Path), cwd: src.Cwd})
}

// generated is the folder, in that of a conversation, with what the tool writes.
const generated = "/.system_generated/"

// conversationOf is the conversation in whose folder a file lies:
// <id>/.system_generated/logs/<file>.
func conversationOf(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	if folder, _, found := strings.Cut(file, generated); found {
		return folder[strings.LastIndexByte(folder, '/')+1:]
	}
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".jsonl")
}

// state is what one step needs to know of those before it.
type state struct {
	Opened bool          `json:"opened,omitempty"`
	Placed bool          `json:"placed,omitempty"` // that the folder was told
	Open   kit.OpenCalls `json:"open,omitempty"`   // calls of the last reply, in order
}

// Forget implements kit.Memory.
func (s *state) Forget() { s.Open = nil }

// conversation is one file being read.
type conversation struct {
	kit.Log[step, *state]
	id, cwd string
}

// step is a line.
type step struct {
	Source  string    `json:"source"` // USER_EXPLICIT, MODEL, SYSTEM
	Status  string    `json:"status"` // DONE, RUNNING, ERROR
	Time    time.Time `json:"created_at"`
	Content string    `json:"content"`
	Calls   []call    `json:"tool_calls"`
}

// Read implements kit.Format.
func (c *conversation) Read(kind string) {
	c.opened()
	switch kind {
	case "USER_INPUT":
		c.prompt()
	case "PLANNER_RESPONSE":
		c.answer()
	case "CHECKPOINT":
		c.emit("0", transcript.Event{Kind: transcript.Compacted, Text: strings.TrimSpace(c.Record.Content), Compaction: &transcript.CompactionInfo{}})
	default:
		c.result(kind == "ERROR_MESSAGE")
	}
}

// opened tells of the conversation with its first step.
func (c *conversation) opened() {
	if c.Memory.Opened {
		return
	}
	c.Memory.Opened = true
	event := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{}}
	if c.cwd != "" {
		c.Memory.Placed, event.WorkDir = true, &transcript.WorkDir{Cwd: c.cwd}
	}
	c.emit("start", event)
}

// placed tells of the folder in which a command runs, where no file names the
// project's.
func (c *conversation) placed(cwd string) {
	if !c.Memory.Placed && cwd != "" {
		c.Memory.Placed = true
		c.emit("place", transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: cwd}})
	}
}

var (
	// asked is what the user typed, as the tool frames it.
	asked = regexp.MustCompile(`(?s)<USER_REQUEST>(.*?)</USER_REQUEST>`)
	// beside is what the tool puts beside it.
	beside = regexp.MustCompile(`(?s)<(?:ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>.*?</(?:ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>`)
)

// prompt reads what the user typed. Calls that have no result get none any more.
func (c *conversation) prompt() {
	c.Memory.Open = nil
	said := c.Record.Content
	if framed := asked.FindStringSubmatch(said); framed != nil {
		said = framed[1]
	}
	event, spoken := c.Prompted(beside.ReplaceAllString(said, ""))
	if !spoken {
		return
	}
	if event.Kind == transcript.Prompt && c.Record.Source != "USER_EXPLICIT" {
		event.Origin = transcript.Machine
	}
	c.emit("0", event)
}

// answer reads what the model said and asked for. Without a call it ends the turn.
func (c *conversation) answer() {
	c.Memory.Open = nil
	said := strings.TrimSpace(c.Record.Content)
	if said != "" {
		c.Decisions(c.emit("0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
	}
	for n, call := range c.Record.Calls {
		c.call("c"+strconv.Itoa(n), call)
	}
	if said != "" && len(c.Record.Calls) == 0 {
		c.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
	}
}

// emit adds an event made from this step. Its id is the conversation's and the
// step's place in it: files are only appended to.
func (c *conversation) emit(part string, event transcript.Event) transcript.Event {
	event.ID, event.Session = c.id+"/"+strconv.FormatInt(c.Offset(), 10)+"#"+part, c.id
	if !c.Record.Time.IsZero() {
		event.Time = c.Record.Time.UTC()
	}
	return c.Add(event)
}
