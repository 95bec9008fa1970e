package geminicli

import (
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// said is what a message of the user's side holds.
type said struct {
	text     string // the user's words
	context  string // what the tool says of itself at the start
	restored bool   // Carryover's own text came with it
}

// hookContext is what hooks put into a prompt.
var hookContext = regexp.MustCompile(`(?s)\s*<hook_context>(.*?)</hook_context>\s*`)

// hookTag is looked for first: most texts have none, and the pattern is slow.
const hookTag = "<hook_context>"

func withoutHooks(text string) string {
	if !strings.Contains(text, hookTag) {
		return text
	}
	return hookContext.ReplaceAllString(text, "")
}

// attached begins the files that a prompt names by @.
const attached = "--- Content from referenced files ---"

// spoken takes a message of the user's side apart. What is shown of it lacks
// the files that were attached; it still has the context of hooks in front.
func (r *Reader) spoken(m message) said {
	var all said
	var own []string
	for _, text := range texts(m.Content) {
		if strings.Contains(text, hookTag) {
			for _, found := range hookContext.FindAllStringSubmatch(text, -1) {
				all.restored = all.restored || transcript.Ours(found[1])
			}
		}
		text = withoutHooks(text)
		switch trimmed := strings.TrimSpace(text); {
		case strings.HasPrefix(trimmed, "<session_context>"), strings.HasPrefix(trimmed, "This is the "+r.Spec.Name+"."):
			all.context = trimmed
		case trimmed == "", strings.HasPrefix(trimmed, "<loaded_context>"):
		default:
			own = append(own, text)
		}
	}
	if all.context != "" {
		return all
	}
	if shown := texts(m.Display); len(shown) > 0 {
		own = []string{withoutHooks(strings.Join(shown, "\n"))}
	}
	all.text, _, _ = strings.Cut(strings.Join(own, "\n"), attached)
	all.text = strings.TrimSpace(unwrapped(all.text))
	return all
}

// unwrapped is the request inside the frame that a relative of the tool puts
// around it.
func unwrapped(text string) string {
	_, rest, framed := strings.Cut(text, "<USER_REQUEST>")
	if request, _, closed := strings.Cut(rest, "</USER_REQUEST>"); framed && closed {
		return request
	}
	return text
}

// user reads a message of the user's side: a prompt, the opening context, or
// the results of calls, which the model's message holds too.
func (c *chat) user(m message) {
	said := c.spoken(m)
	if said.context != "" {
		c.readWorkDir(m, said.context)
	}
	if said.restored {
		c.emit(transcript.Event{ID: m.ID + "#restored", Time: m.Time, Kind: transcript.Restored})
	}
	if said.text == "" {
		return
	}
	if transcript.Ours(said.text) {
		c.emit(transcript.Event{ID: m.ID + "#0", Time: m.Time, Kind: transcript.Restored})
		return
	}
	c.answered()
	event := transcript.Event{
		ID: m.ID + "#0", Time: m.Time, Kind: transcript.Prompt, Text: said.text, Origin: c.origin(said.text),
	}
	if _, fresh := c.emit(event); fresh {
		c.state.Ended = false
		c.state.Prompts = transcript.Remember(c.state.Prompts, transcript.Fingerprint(m.ID), maxPrompts)
	}
}

// answered ends the turn before a prompt. Nothing in a chat says that a turn
// is done; the last reply may still be followed by the calls it asks for.
func (c *chat) answered() {
	if last := c.state.Answered; last != nil {
		c.state.Answered = nil
		c.emit(transcript.Event{ID: last.ID + "#turn", Time: last.Time, Kind: transcript.Turn, Text: transcript.TurnCompleted})
	}
}

// slash is a command as it is typed; a path has a second slash.
var slash = regexp.MustCompile(`^[/?][a-zA-Z][\w:-]*(\s|$)`)

func (c *chat) origin(text string) transcript.Origin {
	switch {
	case c.state.Agent:
		return transcript.Injected
	case slash.MatchString(text), c.Spec.MachinePrompt(text):
		return transcript.Machine
	}
	return transcript.Typed
}

// cancelled is what the tool says when the user stops it.
const cancelled = "Request cancelled."

// notice reads what the tool says itself; only the end of a turn counts.
func (c *chat) notice(kind string, m message) {
	text := strings.Join(texts(m.Content), "\n")
	switch {
	case strings.Contains(text, cancelled):
		c.emit(transcript.Event{ID: m.ID + "#turn", Time: m.Time, Kind: transcript.Turn, Text: transcript.TurnInterrupted})
	case kind == "error":
		c.emit(transcript.Event{
			ID: m.ID + "#turn", Time: m.Time, Kind: transcript.Turn, Text: transcript.TurnFailed,
			Result: &transcript.ResultInfo{Failed: true, Text: text},
		})
	default:
		return
	}
	c.state.Answered, c.state.Ended = nil, true
}
