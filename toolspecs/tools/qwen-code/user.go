package qwencode

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// hookPart begins the part of a prompt in which hooks are heard.
const hookPart = "<qwen:user-prompt-submit-context>"

// text is what a message says, without what hooks put into it.
func (c *chat) text() string {
	var words []string
	for _, part := range c.record.Message.Parts {
		if part.Text != "" && !part.Thought && !strings.HasPrefix(part.Text, hookPart) {
			words = append(words, part.Text)
		}
	}
	return strings.TrimSpace(strings.Join(words, "\n"))
}

// restored says that our own text came with a prompt.
func (c *chat) restored() bool {
	return slices.ContainsFunc(c.record.Message.Parts, func(part part) bool {
		inner, framed := strings.CutPrefix(part.Text, hookPart)
		return framed && transcript.Ours(strings.TrimSpace(inner))
	})
}

// prompt reads what the user typed: as it was shown to them, where that is
// recorded.
func (c *chat) prompt(kind string) {
	if c.restored() {
		c.emit("restored", transcript.Event{Kind: transcript.Restored})
	}
	text := strings.TrimSpace(transcript.Text(transcript.Member(c.record.Payload, "displayText")))
	if text == "" {
		text = c.text()
	}
	if text == "" {
		return
	}
	if transcript.Ours(text) {
		c.emit("0", transcript.Event{Kind: transcript.Restored})
		return
	}
	if kind == "user" {
		c.state.Prompts = transcript.Remember(c.state.Prompts, transcript.Fingerprint(c.record.Parent), maxPrompts)
	}
	c.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: c.origin(kind, text)})
}

// slash is a command as it is typed; a path has a second slash.
var slash = regexp.MustCompile(`^/[a-zA-Z][\w:-]*(\s|$)`)

func (c *chat) origin(kind, text string) transcript.Origin {
	switch {
	case c.record.Sidechain:
		return transcript.Injected
	case c.record.Provenance != "" && c.record.Provenance != "real_user", slash.MatchString(text), c.Spec.MachinePrompt(text):
		return transcript.Machine
	case kind != "user":
		return transcript.Queued
	}
	return transcript.Typed
}

// rewind takes prompts back: its record hangs where the first of them hung.
func (c *chat) rewind() {
	at := slices.Index(c.state.Prompts, transcript.Fingerprint(c.record.Parent))
	if at < 0 {
		return
	}
	taken := len(c.state.Prompts) - at
	c.state.Prompts = c.state.Prompts[:at]
	c.emit("0", transcript.Event{Kind: transcript.Rollback, Turns: taken})
}

// resume begins what the tool tells the model after a summary.
const resume = "\n\nResume the prior task using the summary above."

// compacted reads where the context was shortened, with the summary.
func (c *chat) compacted() {
	parts := transcript.Members(c.record.Payload, "info", "compressedHistory")
	var counts struct {
		Before int64 `json:"originalTokenCount"`
		After  int64 `json:"newTokenCount"`
	}
	_ = json.Unmarshal(parts[0], &counts) // what it does not say stays unknown
	info := &transcript.CompactionInfo{
		Trigger: transcript.Text(transcript.Member(parts[0], "triggerReason")), PreTokens: counts.Before, PostTokens: counts.After,
	}
	summary := ""
	for _, message := range transcript.Elements(parts[1]) {
		for _, part := range transcript.Elements(transcript.Member(message, "parts")) {
			summary, _, _ = strings.Cut(transcript.Text(transcript.Member(part, "text")), resume)
			break
		}
		break
	}
	c.emit("0", transcript.Event{Kind: transcript.Compacted, Text: strings.TrimSpace(summary), Compaction: info})
}
