package claudecode

import (
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// queueOperation follows prompts through the tool's queue. What is queued
// while the agent works was typed by the user and counts at once: in most
// cases no user line ever repeats it. What is queued while it rests (every
// prompt of a headless run is) waits for its user line.
func (s *session) queueOperation() {
	text := s.record.Content
	switch s.record.Operation {
	case "enqueue":
		switch {
		case text == "" || s.Spec.MachinePrompt(text) || isSlash(text):
			s.state.Queued = transcript.Remember(s.state.Queued, "", maxQueued)
		case s.state.Busy:
			s.emitQueued(text)
			s.state.Queued = transcript.Remember(s.state.Queued, "", maxQueued)
		default:
			s.state.Queued = transcript.Remember(s.state.Queued, transcript.Truncate(text, maxQueue), maxQueued)
		}
	case "remove":
		// Without a content this is an older version, which hands a queued
		// prompt to the running turn and writes no other record of it.
		if waiting := s.dequeue(); text == "" && waiting != "" {
			s.emitQueued(waiting)
		}
	case "dequeue":
		s.dequeue()
	case "popAll":
		s.state.Queued = nil
	}
}

func (s *session) emitQueued(text string) {
	s.state.Prompted = transcript.Remember(s.state.Prompted, transcript.Fingerprint(text), maxQueued)
	s.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Queued})
}

// dequeue takes the oldest text off the queue; "" for one that needs nothing.
func (s *session) dequeue() string {
	if len(s.state.Queued) == 0 {
		return ""
	}
	text := s.state.Queued[0]
	s.state.Queued = s.state.Queued[1:]
	return text
}

// queuedCommand reads a queued prompt that was handed to the running turn.
func (s *session) queuedCommand() {
	parts := transcript.Members(s.record.Attachment, "prompt", "commandMode")
	text := contentText(parts[0])
	if text == "" {
		return
	}
	origin := transcript.Queued
	if mode := transcript.Text(parts[1]); mode != "" && mode != "prompt" || s.Spec.MachinePrompt(text) || isSlash(text) {
		origin = transcript.Machine
	}
	if origin == transcript.Queued && s.state.isRepeated(text) {
		return
	}
	s.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: origin})
}

// hookOutput finds our own text in what hooks put into the session.
func (s *session) hookOutput() {
	parts := transcript.Members(s.record.Attachment, "content", "stdout")
	for _, part := range parts {
		if part != nil && transcript.Ours(contentText(part)) {
			s.emit("0", transcript.Event{Kind: transcript.Restored})
			return
		}
	}
}
