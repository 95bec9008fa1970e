// Package continuecli reads the sessions of Continue's CLI: one JSON document per
// session, rewritten with each message. It has no times, and does not keep how
// a command ended.
package continuecli

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// revision rises when the same bytes would give other events.
const revision = 1

// maxDocument bounds one session, in bytes: all of it has to be held.
const maxDocument = 64 << 20

// Reader reads such documents by the tables of its spec.
type Reader struct{ *kit.Tables }

// New is a reader by this spec.
func New(spec *toolspecs.Spec) *Reader { return &Reader{kit.For(spec)} }

// Revision implements transcript.Reader.
func (r *Reader) Revision() int { return revision }

// Decode implements transcript.Reader.
func (r *Reader) Decode(_ transcript.Source, in io.Reader, pos transcript.Position) (transcript.Decoder, error) {
	var none struct{}
	if err := transcript.DecodeState(pos.State, &none); err != nil {
		return nil, err
	}
	return kit.DecodeWhole(in, "session of Continue", maxDocument, r.Checked("session", r.document)), nil
}

// document tells of a whole session; false says that it is not whole yet.
func (r *Reader) document(data []byte, batch *transcript.Batch) bool {
	var doc struct {
		Session string            `json:"sessionId"`
		Title   string            `json:"title"`
		Cwd     string            `json:"workspaceDirectory"`
		History []json.RawMessage `json:"history"`
	}
	if json.Unmarshal(data, &doc) != nil {
		return false
	}
	s := &session{Reader: r, id: doc.Session, place: "s"}
	s.At(transcript.Ref{Length: int64(len(data))}, batch, r.Spec.Tool)
	s.emit("start", transcript.Event{
		Kind: transcript.Session, Start: &transcript.Start{}, WorkDir: &transcript.WorkDir{Cwd: strings.TrimPrefix(doc.Cwd, "file://")},
	})
	if doc.Title != "" && doc.Title != "Untitled Session" {
		s.emit("title", transcript.Event{Kind: transcript.Title, Text: doc.Title})
	}
	for n, raw := range doc.History {
		s.place = strconv.Itoa(n)
		s.turn(raw, &batch.Coverage)
	}
	return true
}

// session is one document being read.
type session struct {
	*Reader
	kit.Lines
	id    string
	place string // of the message being read
}

// emit adds an event. Its id is the session's and the message's place in it.
func (s *session) emit(part string, event transcript.Event) transcript.Event {
	event.ID, event.Session = s.id+"/"+s.place+"#"+part, s.id
	return s.Add(event)
}

// turn is a message, with what came of its calls.
type turn struct {
	Message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Usage   struct {
			Total int64  `json:"total_tokens"`
			Model string `json:"model"`
		} `json:"usage"`
	} `json:"message"`
	Calls []struct {
		ID     string          `json:"toolCallId"`
		Status string          `json:"status"`
		Args   json.RawMessage `json:"parsedArgs"`
		Call   struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"toolCall"`
		Output []struct {
			Content string `json:"content"`
		} `json:"output"`
	} `json:"toolCallStates"`
}

func (s *session) turn(raw json.RawMessage, coverage *transcript.Coverage) {
	var said turn
	if json.Unmarshal(raw, &said) != nil {
		kit.Broken(coverage)
		return
	}
	if !s.Count(said.Message.Role, coverage) {
		return
	}
	text := transcript.Text(said.Message.Content)
	for _, part := range transcript.Elements(said.Message.Content) {
		text += transcript.Text(transcript.Member(part, "text"))
	}
	text = strings.TrimSpace(text)
	switch {
	case said.Message.Role == "user" && text == "":
	case said.Message.Role == "user" && transcript.Ours(text):
		s.emit("0", transcript.Event{Kind: transcript.Restored})
	case said.Message.Role == "user":
		s.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
	default:
		s.answer(text, said)
	}
}

// answer reads what the model said and asked for. Without a call it ends the
// turn.
func (s *session) answer(text string, said turn) {
	if text != "" {
		s.Decisions(s.emit("0", transcript.Event{Kind: transcript.Reply, Text: text}), text)
	}
	if said.Message.Usage.Total > 0 {
		s.emit("usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
			Context: said.Message.Usage.Total, Model: said.Message.Usage.Model, Window: s.Spec.Window(said.Message.Usage.Model),
		}})
	}
	for n, asked := range said.Calls {
		place := "c" + strconv.Itoa(n)
		known, found := s.Calls.Lookup(asked.Call.Function.Name)
		if !found {
			s.UnknownCall("", asked.Call.Function.Name)
		}
		call := s.emit(place, transcript.Event{Kind: transcript.Call, Call: known.Info(asked.ID, asked.Call.Function.Name, asked.Args)})
		if around := transcript.Members(asked.Args, known.Before, known.After); len(call.Call.Paths) > 0 && known.After != "" {
			s.Edited(call.Call.Paths[0], transcript.Text(around[0]), transcript.Text(around[1]))
		}
		output := ""
		for _, piece := range asked.Output {
			output += piece.Content
		}
		s.emit(place+".r", transcript.Event{Parent: call.ID, Kind: transcript.Result, Result: ended(asked.ID, asked.Status, output, known.Meaning)})
	}
	if len(said.Calls) == 0 {
		s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
	}
}

// ended says what came of a call. How a command ended is not kept.
func ended(id, status, output string, meaning transcript.Meaning) *transcript.ResultInfo {
	info := &transcript.ResultInfo{CallID: id, Failed: status == "errored", Text: transcript.Foreign(output)}
	switch {
	case status == "canceled":
		info.Outcome = transcript.Cancelled
	case meaning == transcript.Shell && !info.Failed:
		info.Outcome = transcript.UnknownOutcome
	}
	return info
}
