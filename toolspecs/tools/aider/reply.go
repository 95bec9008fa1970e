package aider

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// thinking is how Aider writes down a model's reasoning.
var thinking = regexp.MustCompile(`(?s)<thinking-content-[0-9a-f]+>.*?(?:</thinking-content-[0-9a-f]+>|$)`)

// reply reads what the model said: prose, and edits in the edit format that
// was agreed upon. What Aider says next tells what came of the edits.
func (h *history) reply() {
	text := strings.TrimSpace(h.block.text())
	text = strings.TrimSpace(thinking.ReplaceAllString(text, ""))
	h.state.Failed, h.state.Malformed, h.state.Ended, h.state.Retries = false, false, false, false
	h.state.Said = begins(text)
	prose, edits := splitStyled(text, h.format(), h.block.style == formatted)
	if h.state.Watched {
		h.byComment(prose)
	}
	if prose != "" {
		if transcript.Ours(prose) {
			h.emit("0", transcript.Event{Kind: transcript.Restored})
		} else {
			event := h.emit("0", transcript.Event{Kind: transcript.Reply, Text: prose, Planning: h.plans() && !h.state.Editing})
			h.Decisions(event, prose)
		}
	}
	for i, change := range edits {
		h.edit("e"+strconv.Itoa(i), change)
	}
}

// begins is the print of how a long text begins, 0 for a short one.
func begins(text string) uint32 {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) < echoed {
		return 0
	}
	return transcript.Fingerprint(text[:echoed])
}

// echoed is how much of a reply and of the next prompt is the same, in bytes, where
// nobody but Aider has written that.
const echoed = 60

// format is the edit format of the model that speaks now.
func (h *history) format() string {
	if h.state.Editing && h.state.Editor != "" {
		return h.state.Editor
	}
	return h.state.Format
}
