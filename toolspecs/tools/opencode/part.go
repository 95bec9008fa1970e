package opencode

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// part is a piece of a message, with what it needs to know of the message.
type part struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // put there by the tool
	Ignored   bool   `json:"ignored"`   // shown to the user, not sent to the model
	Time      struct {
		Start int64 `json:"start"`
		End   int64 `json:"end"`
	} `json:"time"`
	Auto  bool            `json:"auto"` // of a part that asks for a compaction
	Tool  string          `json:"tool"`
	State json.RawMessage `json:"state"`

	made    int64 // when its message was, in milliseconds
	role    string
	mode    string
	done    bool // the message is complete
	trigger string
}

// read tells of a part.
func (r *record) read(p part, coverage *transcript.Coverage) {
	switch {
	case p.Type == "tool":
		r.tool(p, coverage)
	case p.Type == compaction:
		r.compacting(p)
	case p.Type != "text" || strings.TrimSpace(p.Text) == "":
	case p.role == user:
		r.prompt(p)
	case p.mode == compaction:
		r.compacted(p)
	case p.Time.End > 0 || p.done: // else it is still being written
		event := r.emit(transcript.Event{
			ID: p.ID + "#0", Time: at(cmp.Or(p.Time.Start, p.made)), Kind: transcript.Reply, Text: strings.TrimSpace(p.Text),
		}).Event
		r.Decisions(event, p.Text)
	}
}

// prompt tells what the user said. What the tool adds to it (files that were
// named, the request to go on after a compaction) is left out.
func (r *record) prompt(p part) {
	event := transcript.Event{ID: p.ID + "#0", Time: at(p.made), Kind: transcript.Prompt}
	switch {
	case transcript.Ours(p.Text):
		event.Kind = transcript.Restored
	case p.Synthetic || p.Ignored:
		return
	default:
		event.Text, event.Origin = unquoted(strings.TrimSpace(p.Text)), transcript.Typed
		if r.session.parent != "" {
			event.Origin = transcript.Injected
		} else if r.Spec.MachinePrompt(event.Text) {
			event.Origin = transcript.Machine
		}
	}
	r.emit(event)
}

// unquoted takes off the quotes in which a run on the command line keeps a
// prompt of several words. It may go on with a session that was begun, or be
// forked from one, at a terminal.
func unquoted(text string) string {
	inner, opened := strings.CutPrefix(text, `"`)
	inner, closed := strings.CutSuffix(inner, `"`)
	if !opened || !closed || !strings.Contains(inner, " ") {
		return text
	}
	plain := strings.ReplaceAll(inner, `\"`, "")
	if strings.Contains(plain, `"`) { // two quotations
		return text
	}
	return strings.ReplaceAll(inner, `\"`, `"`)
}

// compacting tells that a compaction has been asked for: the model is about to make
// the summary, which takes it a while.
func (r *record) compacting(p part) {
	if r.session.parent != "" {
		return
	}
	r.emit(transcript.Event{
		ID: p.ID + "#0", Time: at(p.made), Kind: transcript.Compacting, Compaction: &transcript.CompactionInfo{Trigger: trigger(p.Auto)},
	})
}

// compacted tells of a compaction: the message with the summary is its last step.
func (r *record) compacted(p part) {
	if !p.done || r.session.parent != "" {
		return
	}
	r.emit(transcript.Event{
		ID: p.ID + "#0", Time: at(cmp.Or(p.Time.End, p.made)), Kind: transcript.Compacted, Text: strings.TrimSpace(p.Text),
		Compaction: &transcript.CompactionInfo{Trigger: p.trigger},
	})
}

// trigger is who asked for a compaction, by the member auto of the part that did.
func trigger(auto bool) string {
	if auto {
		return "auto"
	}
	return "manual"
}
