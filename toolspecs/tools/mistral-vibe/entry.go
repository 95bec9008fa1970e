package mistralvibe

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs/transcript"
	"github.com/carryover-go/carryover/toolspecs/transcript/kit"
)

// entry is a piece of the history: what was said, or a call with its result.
type entry struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"` // message, effect, notice
	Session string          `json:"sessionId"`
	Turn    string          `json:"turnId"`
	Created int64           `json:"createdAt"` // milliseconds
	Updated int64           `json:"updatedAt"`
	Status  string          `json:"generationStatus"`
	Role    string          `json:"role"`
	Source  string          `json:"source"`
	Content json.RawMessage `json:"content"`
	Detail  struct {
		Kind  string          `json:"kind"`
		Name  string          `json:"toolName"`
		Input json.RawMessage `json:"input"`
	} `json:"detail"`
	State struct {
		Status string `json:"status"`
		Text   string `json:"outputText"`
		Output output `json:"output"`
	} `json:"state"`
}

// output is what came of a call.
type output struct {
	Type   string          `json:"type"`
	Data   json.RawMessage `json:"structured_content"`
	Pieces []struct {
		Text string `json:"text"`
	} `json:"content"`
}

// completed is a turn, a reply or a call that is at its end.
const completed = "completed"

// entry tells of an entry. One that is still being written comes again.
func (s *session) entry(e entry) {
	s.opened(e)
	switch {
	case e.Type == "effect" && e.Detail.Kind == "tool":
		s.goesOn(e)
		s.call(e)
	case e.Type != "message" || e.Status != completed:
	case e.Role == "user":
		s.goesOn(e)
		if event, said := s.Prompted(kit.Text(e.Content)); said {
			s.emit(e, "0", event)
		}
	default:
		s.goesOn(e)
		s.Memory.Said = e.Updated
		if said := kit.Text(e.Content); said != "" {
			s.Decisions(s.emit(e, "0", transcript.Event{Kind: transcript.Reply, Text: said}), said)
		}
	}
}

// opened tells of a session with its first entry.
func (s *session) opened(e entry) {
	if s.Memory.Opened == e.Session || e.Session == "" {
		return
	}
	s.Memory.Opened = e.Session
	event := transcript.Event{ID: e.Session + "#start", Session: e.Session, Kind: transcript.Session, Start: &transcript.Start{}}
	if s.cwd != "" {
		event.WorkDir = &transcript.WorkDir{Cwd: s.cwd}
	}
	s.Add(event)
}

// goesOn ends the turn before with the first entry of another.
func (s *session) goesOn(e entry) {
	if e.Turn != "" && e.Turn != s.Memory.Turn {
		s.ended(completed)
		s.Memory.Turn, s.Memory.Said = e.Turn, 0
	}
}

// endings are how a turn ended.
var endings = map[string]string{
	completed: transcript.TurnCompleted, "cancelled": transcript.TurnInterrupted, "interrupted": transcript.TurnInterrupted,
	"failed": transcript.TurnFailed,
}

// ended tells of the end of the turn that is under way. Of one without a reply
// nothing is known.
func (s *session) ended(status string) {
	ending := endings[status]
	if ending == "" || s.Memory.Turn == "" || s.Memory.Said == 0 {
		return
	}
	s.Add(transcript.Event{
		ID: s.Memory.Turn + "#turn", Session: s.Memory.Opened, Time: time.UnixMilli(s.Memory.Said).UTC(), Kind: transcript.Turn, Text: ending,
	})
	s.Memory.Turn, s.Memory.Said = "", 0
}

// used tells how full the context is, where that changed.
func (s *session) used(change delta) {
	total := change.State.Session.Usage.Total
	if total <= 0 || total == s.Memory.Used || s.Memory.Opened == "" {
		return
	}
	s.Memory.Used = total
	s.Add(transcript.Event{
		ID: s.Memory.Opened + "/" + strconv.FormatInt(s.Record.Sequence, 10) + "#usage", Session: s.Memory.Opened,
		Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{Context: total},
	})
}

// call tells of a call, and of its result once it has one.
func (s *session) call(e entry) {
	known, found := s.Calls.Lookup(e.Detail.Name)
	if !found {
		s.UnknownCall("", e.Detail.Name)
	}
	if open := s.Memory.Open.Close(e.ID); open.Event == "" {
		event := s.emit(e, "call", transcript.Event{Kind: transcript.Call, Call: known.Info(e.ID, e.Detail.Name, e.Detail.Input)})
		s.EditedPieces(known, event, e.Detail.Input, "content", "old_str", "new_str")
	}
	if e.State.Status == "running" || e.State.Status == "" {
		s.Memory.Open.Open(transcript.Event{ID: e.ID + "#call", Call: &transcript.CallInfo{ID: e.ID, Name: e.Detail.Name}})
		return
	}
	e.Created = e.Updated
	s.emit(e, "result", transcript.Event{Parent: e.ID + "#call", Kind: transcript.Result, Result: result(e)})
}

// result is what came of a call. A command that failed is a success with its exit
// status.
func result(e entry) *transcript.ResultInfo {
	info := &transcript.ResultInfo{CallID: e.ID, Failed: e.State.Status != completed || e.State.Output.Type != "success"}
	var ran struct {
		Code   *int   `json:"returncode"`
		Out    string `json:"stdout"`
		Errors string `json:"stderr"`
	}
	if json.Unmarshal(e.State.Output.Data, &ran) == nil && ran.Code != nil {
		info.ExitCode, info.Failed = ran.Code, *ran.Code != 0
		info.Text = transcript.Foreign(strings.TrimSpace(ran.Out + "\n" + ran.Errors))
		return info
	}
	var words []string
	for _, piece := range e.State.Output.Pieces {
		words = append(words, transcript.Foreign(piece.Text))
	}
	if info.Text = strings.TrimSpace(strings.Join(words, "\n")); info.Text == "" {
		info.Text = transcript.Foreign(e.State.Text)
	}
	return info
}

// emit adds an event made from an entry. Its id is the entry's and a part: a chunk
// repeats what stood in the journal.
func (s *session) emit(e entry, part string, event transcript.Event) transcript.Event {
	event.ID, event.Session = e.ID+"#"+part, e.Session
	if e.Created > 0 {
		event.Time = time.UnixMilli(e.Created).UTC()
	}
	return s.Add(event)
}
