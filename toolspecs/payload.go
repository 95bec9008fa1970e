package toolspecs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Text is what our name stands for: the member of a payload, the first text of
// it where it is a list, or a variable of the tool's environment. It is ""
// when none of them is there, or is a text that says something.
func (h Hook) Text(payload map[string]json.RawMessage, env map[string]string, name string) string {
	for field := range strings.SplitSeq(h.Stdin[name], "|") {
		if variable, ok := strings.CutPrefix(field, "$"); ok {
			if env[variable] != "" {
				return env[variable]
			}
			continue
		}
		var list []string
		if text := transcript.Text(payload[field]); text != "" {
			return text
		}
		if json.Unmarshal(payload[field], &list) == nil && len(list) > 0 && list[0] != "" {
			return list[0]
		}
	}
	return ""
}

// Awaited says that the tool is worth keeping waiting at this event: for a text
// that reaches the model, or for what must be done before and after the tool
// shortens its context. Any other event is only a signal.
func (h Hook) Awaited() bool {
	return h.Output != "none" || h.Role == "pre_compact" || h.Role == "post_compact"
}

// What an event's answer may restore (Hook.Restores).
const (
	AtStart         = "start" // what the session continues
	AfterCompaction = "cut"   // the session's own work, after a compaction of its context
)

// Gives says that an answer to this event may restore something: at the
// "start" of a session, or after a "cut" of its context.
func (h Hook) Gives(when string) bool {
	if h.Output == "none" {
		return false
	}
	if h.Restores == nil {
		return h.Role == "session_start"
	}
	return slices.Contains(h.Restores, when)
}

// Answer is a text as the event's output carries it to the model: as it is, or
// as the member of a JSON object that the tool reads. seen is a line for the person,
// left out where the tool shows none.
func (h Hook) Answer(text, seen string) (string, error) {
	if h.Seen == "" || h.Field == "" {
		seen = ""
	}
	if h.Output != "json" && seen == "" || text == "" && seen == "" {
		return text, nil
	}
	object := map[string]any{}
	if text != "" {
		object = h.nested(text)
	}
	if seen != "" {
		object[h.Seen] = seen
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return "", err
	}
	return out.String(), nil
}

// nested is a text at the place of Field in a JSON object.
func (h Hook) nested(text string) map[string]any {
	path := strings.Split(h.Field, ".")
	var value any = text
	for i := len(path) - 1; i >= 0; i-- {
		object := map[string]any{path[i]: value}
		if i > 0 && path[i-1] == "hookSpecificOutput" {
			object["hookEventName"] = h.Event // Claude Code and its kin want it
		}
		value = object
	}
	return value.(map[string]any)
}
