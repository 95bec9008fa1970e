package geminicli

import "github.com/carryover-go/carryover/toolspecs/transcript"

// ReadHook implements transcript.HookReader: AfterTool comes before the record
// of the result does. It does not name the call, so hook and record agree on
// the question and the choice.
func (r *Reader) ReadHook(payload []byte) []transcript.Event {
	parts := transcript.Members(payload, "session_id", "tool_name", "tool_input", "tool_response")
	name := transcript.Text(parts[1])
	known, _ := r.Calls.Lookup(name)
	call := called{args: parts[2], known: known, event: transcript.Event{Call: known.Info("", name, parts[2])}}
	var events []transcript.Event
	for _, decision := range call.decided(transcript.Text(transcript.Member(parts[3], "llmContent"))) {
		events = append(events, transcript.Event{
			ID: transcript.ChoiceID(transcript.Text(parts[0]), decision), Kind: transcript.Decided, Decision: &decision,
		})
	}
	return events
}
