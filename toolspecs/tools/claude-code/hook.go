package claudecode

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// ReadHook implements transcript.HookReader: what the user chose stands in the
// payload of PostToolUse before the transcript has it. The structured result
// is the same in both.
func (r *Reader) ReadHook(payload []byte) []transcript.Event {
	parts := transcript.Members(payload, "tool_name", "tool_use_id", "tool_response")
	call := openCall{ID: transcript.Text(parts[1]), Name: transcript.Text(parts[0])}
	if call.ID == "" || parts[2] == nil {
		return nil
	}
	known, _ := r.Calls.Lookup(call.Name)
	switch known.Meaning {
	case transcript.Ask:
		return answered(call, parts[2], "")
	case transcript.Planning:
		if plan := transcript.Text(transcript.Member(parts[2], "plan")); strings.TrimSpace(plan) != "" {
			return []transcript.Event{approval(call, plan)}
		}
	}
	return nil
}
