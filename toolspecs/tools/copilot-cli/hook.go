package copilotcli

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ReadHook implements transcript.HookReader: postToolUse comes before the
// record of the result does. It does not name the call, so hook and record
// agree on the question and the choice.
func (r *Reader) ReadHook(payload []byte) []transcript.Event {
	parts := transcript.Members(payload, "sessionId", "toolName", "toolArgs", "toolResult")
	text := transcript.Text(transcript.Member(parts[3], "textResultForLlm"))
	known, _ := r.Calls.Lookup(transcript.Text(parts[1]))
	var events []transcript.Event
	for _, decision := range decided(known.Meaning, parts[2], text) {
		events = append(events, transcript.Event{
			ID: transcript.ChoiceID(transcript.Text(parts[0]), decision), Kind: transcript.Decided, Decision: &decision,
		})
	}
	return events
}

// decided is what the user chose at a call, by its arguments and what the
// model was given.
func decided(meaning transcript.Meaning, arguments []byte, text string) []transcript.Decision {
	switch {
	case meaning == transcript.Ask:
		return answersIn(questionsOf("", arguments), text)
	case meaning == transcript.Planning && strings.HasPrefix(text, approved):
		return []transcript.Decision{approval("", planOf(arguments))}
	}
	return nil
}
