package codex

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// scripted begins the ids of calls made from a script. No record tells of them
// but the script itself, which may compute its arguments.
const scripted = "exec-"

// ReadHook implements transcript.HookReader: the user's answers, which the
// rollout has a moment later under the same id, and a plan that a script has
// set.
func (r *Reader) ReadHook(payload []byte) []transcript.Event {
	parts := transcript.Members(payload, "session_id", "tool_use_id", "tool_name", "tool_input", "tool_response")
	thread, call := transcript.Text(parts[0]), transcript.Text(parts[1])
	known, _ := r.Calls.Lookup(transcript.Text(parts[2]))
	switch {
	case call == "":
		return nil
	case known.Meaning == transcript.Ask:
		return choices(thread, openCall{ID: call, Asked: transcript.Member(parts[3], known.Question)}, transcript.Text(parts[4]))
	case known.Meaning == transcript.Todos && strings.HasPrefix(call, scripted):
		if items := steps(parts[3]); items != nil {
			return []transcript.Event{{ID: thread + "/call:" + call + "#0", Kind: transcript.Todo, Items: items}}
		}
	}
	return nil
}
