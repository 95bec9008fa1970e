// Package kimicode reads the sessions of Kimi Code: a folder per session, in it
// one JSONL file per agent, appended to. No record names the session or its
// folder; the path does.
package kimicode

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
const revision = 1

// Reader reads Kimi Code's sessions by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(src transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	session, agent := placeOf(src.Path)
	return kit.Resume(in, pos, &wire{Log: kit.NewLog[record](r.Tables, &state{}), session: session, agent: agent, cwd: src.Cwd})
}

// mainAgent is the agent that a person talks to.
const mainAgent = "main"

// placeOf is the session and the agent that a path names: the file lies in
// <session>/agents/<agent>/.
func placeOf(file string) (session, agent string) {
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	if n := len(parts); n >= 4 && parts[n-3] == "agents" {
		return parts[n-4], parts[n-2]
	}
	return strings.TrimSuffix(path.Base(parts[len(parts)-1]), ".jsonl"), mainAgent
}

// maxAsked bounds the questions that are remembered until they are answered.
const maxAsked = 16

// state is what one record needs to know of those before it.
type state struct {
	Open    kit.OpenCalls `json:"open,omitempty"`
	Asked   []asked       `json:"asked,omitempty"`
	Trigger string        `json:"trigger,omitempty"` // of the compaction under way
	Placed  bool          `json:"placed,omitempty"`  // that the folder was told
}

// Forget implements kit.Memory.
func (s *state) Forget() { *s = state{Placed: s.Placed} }

// wire is one agent's file being read.
type wire struct {
	kit.Log[record, *state]
	session, agent, cwd string
}

// record is a line, with its large parts left as they stand.
type record struct {
	Type    string          `json:"type"`
	Time    int64           `json:"time"` // milliseconds
	Created int64           `json:"created_at"`
	Input   json.RawMessage `json:"input"` // of a prompt
	Origin  struct {
		Kind string `json:"kind"`
	} `json:"origin"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Event loopEvent `json:"event"`

	Kind     string `json:"kind"`
	ID       string `json:"id"`
	CallID   string `json:"toolCallId"`
	Reason   string `json:"reason"`
	Source   string `json:"source"`
	Summary  string `json:"summary"`
	Question struct {
		Questions []question `json:"questions"`
	} `json:"request"`
	Answer struct {
		Answers map[string]json.RawMessage `json:"answers"`
	} `json:"response"`
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// loopEvent is a step of the agent's own loop.
type loopEvent struct {
	CallID string          `json:"toolCallId"`
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args"`
	Part   struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"part"`
	Result struct {
		Output  json.RawMessage `json:"output"`
		IsError bool            `json:"isError"`
	} `json:"result"`
	Usage struct {
		Input    int64 `json:"inputOther"`
		Read     int64 `json:"inputCacheRead"`
		Creation int64 `json:"inputCacheCreation"`
		Output   int64 `json:"output"`
	} `json:"usage"`
}

// Read implements kit.Format.
func (w *wire) Read(kind string) {
	w.placed()
	switch kind {
	case "metadata":
		w.opened()
	case "turn.prompt":
		w.prompt()
	case "context.append_message/hook_result":
		w.heard()
	case "context.append_loop_event/content.part":
		w.said()
	case "context.append_loop_event/tool.call":
		w.call()
	case "context.append_loop_event/tool.result":
		w.result()
	case "context.append_loop_event/step.end":
		w.used()
	case "interaction.request":
		w.ask()
	case "interaction.resolved":
		w.answered()
	case "tools.update_store":
		w.stored()
	case "full_compaction.begin", "context.apply_compaction":
		w.compacted(kind)
	case "turn.ended":
		w.ended()
	}
}

// opened tells of the session, or of the subagent whose file it is.
func (w *wire) opened() {
	event := transcript.Event{Kind: transcript.Session, Start: &transcript.Start{}}
	if w.sub() {
		event.Start.Agent = w.agent
	}
	w.emit("0", event)
}

// placed tells of the session's folder, once the file that names it is there.
func (w *wire) placed() {
	if w.Memory.Placed || w.cwd == "" || w.sub() {
		return
	}
	w.Memory.Placed = true
	w.emit("place", transcript.Event{Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: w.cwd}})
}

func (w *wire) sub() bool { return w.agent != mainAgent }

// emit adds an event made from this record. Its id is the file's and the
// record's place in it: files are only appended to.
func (w *wire) emit(part string, event transcript.Event) transcript.Event {
	if event.ID == "" {
		event.ID = w.session + "/" + w.agent + "/" + strconv.FormatInt(w.Offset(), 10) + "#" + part
	}
	event.Session, event.Subagent = w.session, w.sub()
	if at := max(w.Record.Time, w.Record.Created); at > 0 {
		event.Time = time.UnixMilli(at).UTC()
	}
	return w.Add(event)
}
