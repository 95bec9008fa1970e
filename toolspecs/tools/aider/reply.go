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
	h.state.Failed, h.state.Malformed = false, false
	prose, edits := splitStyled(text, h.format(), h.block.style == formatted)
	if prose != "" {
		if transcript.Ours(prose) {
			h.emit("0", transcript.Event{Kind: transcript.Restored})
		} else {
			event := h.emit("0", transcript.Event{Kind: transcript.Reply, Text: prose})
			h.Decisions(event, prose)
		}
	}
	for i, change := range edits {
		h.edit("e"+strconv.Itoa(i), change)
	}
}

// format is the edit format of the model that speaks now.
func (h *history) format() string {
	if h.state.Editing && h.state.Editor != "" {
		return h.state.Editor
	}
	return h.state.Format
}

// edit emits a call for an edit that a reply holds.
func (h *history) edit(part string, change edit) {
	id := h.blockID(part)
	info := &transcript.CallInfo{ID: id, Name: "edit", Meaning: transcript.Edit}
	if change.whole {
		info.Name, info.Meaning = "write", transcript.Write
	}
	if change.path != "" {
		info.Paths = []string{change.path}
	}
	event := h.emit("", transcript.Event{ID: id, Kind: transcript.Call, Call: info})
	h.Edited(change.path, change.before, change.after)
	h.Decisions(event, change.after)
	h.state.remember(openEdit{ID: id, Path: change.path, Hash: transcript.Fingerprint(change.before)})
}
