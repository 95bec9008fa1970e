package claudecode

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// synthetic is the model named on lines that no model wrote.
const synthetic = "<synthetic>"

// limits are the kinds of failure, as the tool names them, that are limits of the service
// or of the account.
var limits = map[string]bool{"rate_limit": true, "billing_error": true, "usage_limit_reached": true}

// assistant reads one line of a reply. A message is split into a line per
// block, each with the same id and the same usage.
func (s *session) assistant() {
	s.flushBoundary()
	s.accepted()
	parts := transcript.Members(s.record.Message, "id", "model", "content", "usage", "stop_reason")
	model := transcript.Text(parts[1])
	if s.record.Error || unwritten(parts[3], transcript.Text(parts[4]), contentText(parts[2])) {
		s.state.Busy, s.state.Ended = false, true
		result := &transcript.ResultInfo{Failed: true, Text: contentText(parts[2])}
		if s.record.Limited {
			result.Outcome = transcript.Limited
		}
		s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnFailed, Result: result})
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

// unwritten says that no model wrote a reply: it ends a turn with several words in at most
// one token. That is how a provider behind a gateway tells of its error, which Claude Code
// takes for a reply and does not mark.
func unwritten(usage []byte, reason, text string) bool {
	tokens := transcript.Member(usage, "output_tokens")
	return reason == "end_turn" && (string(tokens) == "0" || string(tokens) == "1") && len(strings.Fields(text)) > 3
}

// completed ends a turn, once: newer versions give the reason with the last
// words, older ones only write down how long the turn took, or which hooks ran at its end.
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
