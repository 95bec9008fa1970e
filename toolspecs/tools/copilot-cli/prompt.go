package copilotcli

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// prompt reads what was sent to the model. content is what was typed;
// transformedContent repeats it with what hooks and the tool put around it.
func (s *session) prompt() {
	parts := transcript.Members(s.record.Data, "content", "source", "delivery", "isAutopilotContinuation")
	text := transcript.Text(parts[0])
	if strings.TrimSpace(text) == "" {
		return
	}
	if transcript.Ours(text) {
		s.emit("0", transcript.Event{Kind: transcript.Restored})
		return
	}
	if s.record.Agent == "" {
		s.state.Answered = false
	}
	origin := s.origin(text, transcript.Text(parts[1]), transcript.Text(parts[2]))
	if string(parts[3]) == "true" {
		origin = transcript.Machine
	}
	s.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: origin})
}

// origin says who wrote a prompt. A source is named for all but the user.
func (s *session) origin(text, source, delivery string) transcript.Origin {
	switch {
	case s.record.Agent != "":
		return transcript.Injected
	case strings.HasPrefix(source, "agent-"):
		return transcript.Injected
	case source != "" && source != "user", s.Spec.MachinePrompt(text):
		return transcript.Machine
	case delivery == "steering", delivery == "queued":
		return transcript.Queued
	}
	return transcript.Typed
}

// hookOutput says that Carryover's own text reached the session. What other
// people's hooks say is theirs.
func (s *session) hookOutput() {
	output := transcript.Member(s.record.Data, "output")
	if output != nil && transcript.Ours(transcript.Text(transcript.Member(output, "additionalContext"))) {
		s.emit("0", transcript.Event{Kind: transcript.Restored})
	}
}
