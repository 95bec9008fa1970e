package prose

import (
	"bytes"
	"encoding/json"
	"strings"
)

// FromJSON is a reply in words. One that is a JSON object, as a review or a run with an
// output schema gives it, becomes a list: the texts of each object within on one line,
// those of the object itself behind their names. Any other reply stays as it is.
func FromJSON(reply string) string {
	trimmed := strings.TrimSpace(reply)
	if !strings.HasPrefix(trimmed, "{") || !json.Valid([]byte(trimmed)) {
		return reply
	}
	_, lines := textsOf([]byte(trimmed), true)
	if len(lines) == 0 {
		return reply
	}
	return strings.Join(lines, "\n")
}

// textsOf are the texts of a JSON value: what it says by itself, and the lines of the
// lists and objects within, in their order.
func textsOf(value json.RawMessage, outermost bool) (said string, lines []string) {
	d := json.NewDecoder(bytes.NewReader(value))
	token, _ := d.Token()
	if text, ok := token.(string); ok {
		return OneLine(text), nil
	}
	var own []string
	for delim, _ := token.(json.Delim); d.More(); {
		name := ""
		if delim == '{' {
			key, _ := d.Token()
			name, _ = key.(string)
		}
		var element json.RawMessage
		if d.Decode(&element) != nil {
			break
		}
		text, within := textsOf(element, false)
		switch prose := strings.Contains(text, " "); { // else it is a name, a date, a number
		case prose && delim == '[':
			lines = append(lines, "- "+text)
		case prose && outermost:
			lines = append(lines, "- "+strings.ReplaceAll(name, "_", " ")+": "+text)
		case prose:
			own = append(own, text)
		}
		lines = append(lines, within...)
	}
	return strings.Join(own, " — "), lines
}
