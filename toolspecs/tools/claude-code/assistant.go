package claudecode

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// synthetic is the model named on lines that no model wrote.
const synthetic = "<synthetic>"

// assistant reads one line of a reply. A message is split into a line per
// block, each with the same id and the same usage.
func (s *session) assistant() {
	s.flushBoundary()
	parts := transcript.Members(s.record.Message, "id", "model", "content", "usage", "stop_reason")
	model := transcript.Text(parts[1])
	if s.record.Error {
		s.state.Busy, s.state.Ended = false, true
		s.emit("turn", transcript.Event{
			Kind: transcript.Turn, Text: transcript.TurnFailed,
			Result: &transcript.ResultInfo{Failed: true, Text: contentText(parts[2])},
		})
		return
	}
	if model == synthetic {
		return
	}
	said := false
	for i, block := range transcript.Elements(parts[2]) {
		said = s.block(strconv.Itoa(i), block) || said
	}
	reason := transcript.Text(parts[4])
	if reason != "" {
		s.state.Busy = reason == "tool_use" || reason == "pause_turn"
	}
	s.usage(transcript.Text(parts[0]), model, parts[3])
	// The thought before the last words has the reason of their message too.
	if said && reason == "end_turn" {
		s.completed()
	}
}

// completed ends a turn, once: newer versions give the reason with the last
// words, older ones only write down how long the turn took.
func (s *session) completed() {
	if s.state.Ended {
		return
	}
	s.state.Busy, s.state.Ended = false, true
	s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
}

// block reads one block of a reply and says whether it was prose.
func (s *session) block(part string, block []byte) bool {
	switch kind, _ := transcript.Peek(block, "type"); string(kind) {
	case "text":
		text := transcript.Text(transcript.Member(block, "text"))
		if strings.TrimSpace(text) == "" {
			return false
		}
		s.state.Ended = false
		reply := s.emit(part, transcript.Event{Kind: transcript.Reply, Text: text})
		s.Decisions(reply, text)
		return true
	case "tool_use", "server_tool_use":
		s.state.Ended = false
		s.call(part, block)
	}
	return false
}

// usage reads how full the context was, once per message.
func (s *session) usage(message, model string, raw []byte) {
	if raw == nil || !s.state.firstOf(message) {
		return
	}
	var usage struct {
		Input    int64 `json:"input_tokens"`
		Read     int64 `json:"cache_read_input_tokens"`
		Creation int64 `json:"cache_creation_input_tokens"`
		Output   int64 `json:"output_tokens"`
	}
	if json.Unmarshal(raw, &usage) != nil {
		return
	}
	total := usage.Input + usage.Read + usage.Creation + usage.Output
	if total == 0 {
		return
	}
	s.emit("usage", transcript.Event{Kind: transcript.UsageRead, Usage: &transcript.UsageInfo{
		Context: total, Window: s.Spec.Window(model), Model: model,
	}})
}

func (s *session) call(part string, block []byte) {
	parts := transcript.Members(block, "id", "name", "input")
	id, name, input := transcript.Text(parts[0]), transcript.Text(parts[1]), parts[2]
	call, known := s.Calls.Lookup(name)
	if !known {
		s.UnknownCall(s.state.Version, name)
	}
	info := call.Info(id, name, input)
	event := s.emit(part, transcript.Event{Kind: transcript.Call, Call: info})
	open := openCall{ID: id, Name: name, Event: event.ID}
	switch call.Meaning {
	case transcript.Edit, transcript.Write:
		s.edit(event, call, input)
	case transcript.Ask:
		s.questions(event, id, transcript.Member(input, call.Question))
	case transcript.Planning:
		open.Plan = s.plan(event.ID, transcript.Text(transcript.Member(input, "plan")))
	case transcript.Todos:
		s.todos(event, input)
		open.Task = taskChange(name, input)
	}
	s.state.Open = transcript.Remember(s.state.Open, open, maxOpen)
}

// edit passes the edited text along with its event, and reads the decisions
// that were written into a file.
func (s *session) edit(event transcript.Event, call toolspecs.Call, input []byte) {
	if len(event.Call.Paths) == 0 {
		return
	}
	var before, after []string
	changes := slices.Collect(func(yield func([]byte) bool) {
		if edits := transcript.Member(input, "edits"); edits != nil {
			for _, edit := range transcript.Elements(edits) {
				if !yield(edit) {
					return
				}
			}
			return
		}
		yield(input)
	})
	for _, change := range changes {
		parts := transcript.Members(change, or(call.Before, "old_string"), or(call.After, "new_string"))
		before = append(before, transcript.Text(parts[0]))
		after = append(after, transcript.Text(parts[1]))
	}
	written := strings.Join(after, "\n")
	s.Edited(event.Call.Paths[0], strings.Join(before, "\n"), written)
	s.Decisions(event, written)
}

func or(name, usual string) string {
	if name != "" {
		return name
	}
	return usual
}

// plan emits a plan, if there is one.
func (s *session) plan(parent, text string) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	s.emit("", transcript.Event{ID: parent + ".plan", Parent: parent, Kind: transcript.Plan, Text: text})
	return true
}
