package kit

import (
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Text is what a content says: a text, or the texts of its parts, one a line.
func Text(content json.RawMessage) string {
	if plain := transcript.Text(content); plain != "" {
		return strings.TrimSpace(plain)
	}
	var words []string
	for _, part := range transcript.Elements(content) {
		if said := transcript.Text(transcript.Member(part, "text")); said != "" {
			words = append(words, said)
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

// Prompted is the event of a text in the user's name: typed, put there by the tool,
// or ours. False where it says nothing.
func (t *Tables) Prompted(text string) (transcript.Event, bool) {
	text = strings.TrimSpace(text)
	event := transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed}
	switch {
	case text == "":
		return transcript.Event{}, false
	case transcript.Ours(text):
		event = transcript.Event{Kind: transcript.Restored}
	case t.Spec.MachinePrompt(text):
		event.Origin = transcript.Machine
	}
	return event, true
}
