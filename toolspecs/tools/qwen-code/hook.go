package qwencode

import "github.com/carryover-go/carryover/toolspecs/transcript"

// ReadHook implements transcript.HookReader: PostToolUse tells what the user
// chose before the record does, and names the call as the record will.
func (r *Reader) ReadHook(payload []byte) []transcript.Event {
	parts := transcript.Members(payload, "session_id", "tool_name", "tool_input", "tool_response", "tool_call_id")
	known, _ := r.Calls.Lookup(transcript.Text(parts[1]))
	if known.Question == "" {
		return nil
	}
	given := transcript.Text(transcript.Member(parts[3], "llmContent"))
	return decided(transcript.Text(parts[0]), transcript.Text(parts[4]), asked(known, parts[2]), given)
}
