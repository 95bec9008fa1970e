package aider

import (
	"regexp"
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxName bounds the name of a command, in bytes: a line may begin with a slash
// and be none.
const maxName = 40

// prompt reads what a person typed: a request, or a command.
func (h *history) prompt() {
	h.state.Failed, h.state.Malformed, h.state.Editing, h.state.Asked = false, false, false, false
	lines := make([]string, len(h.block.lines))
	for i, line := range h.block.lines {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "####"), "  ")
		lines[i] = strings.TrimPrefix(line, " ")
	}
	text := strings.Join(lines, "\n")
	switch {
	case text == "<blank>" || strings.TrimSpace(text) == "":
	case text[0] == '/' || text[0] == '!':
		h.command(text)
	case len(lines) == 1 && confirmation.MatchString(text): // Aider's own question, answered
		h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
	default:
		h.sent(text)
	}
}

// confirmation is a question of Aider's as it stands in its prompt, which is
// written down like a request when it is asked again.
var confirmation = regexp.MustCompile(`\? (?:\(Y\)es/\(N\)o|\[[Yy]/[Nn]\])`)

// sent is a prompt, unless a command was just recorded as having sent it.
func (h *history) sent(text string) {
	again := h.state.Sent != 0 && h.state.Sent == sentPrint(text)
	h.state.Sent = 0
	if !again {
		h.request(asked(text))
	}
}

// asked is the question of /help without the documentation that Aider puts
// behind it.
func asked(text string) string {
	question, help := strings.CutPrefix(text, "# Question: ")
	if question, _, found := strings.Cut(question, "\n# Relevant docs:"); help && found {
		return strings.TrimSpace(question)
	}
	return text
}

func sentPrint(text string) uint32 { return transcript.Fingerprint(strings.TrimSpace(asked(text))) }

// request is a prompt that goes to the model.
func (h *history) request(text string) {
	if transcript.Ours(text) {
		h.emit("0", transcript.Event{Kind: transcript.Restored})
		return
	}
	h.state.Busy = true
	h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
}

// sends are the commands whose text goes to the model. Aider then writes it
// down again as a prompt of its own.
var sends = map[string]bool{"/ask": true, "/code": true, "/architect": true, "/context": true, "/help": true}

// command reads a line that begins with a slash or an exclamation mark.
func (h *history) command(text string) {
	name, arguments := "!", text[1:]
	if text[0] == '/' {
		name, arguments, _ = strings.Cut(text, " ")
		name = strings.TrimSpace(name)
	}
	arguments = strings.TrimSpace(arguments)
	call, known := h.lookup(name)
	if !known { // Aider does nothing for it, unless it knows more than we do
		h.Coverage().Read--
		h.Coverage().CountUnknown(h.state.Version, "call "+transcript.Cut(name, maxName), 1)
	}
	if sends[call.Name] && arguments != "" {
		h.state.Sent = sentPrint(arguments)
		h.request(arguments)
		return
	}
	if call.Meaning == transcript.Other {
		h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
		return
	}
	id := h.call(commandInfo(call, arguments))
	if call.Name == "/test" && arguments != "" {
		h.state.Test = id
	} else {
		h.state.Running = id
	}
}

// commandInfo puts the text behind a command where its meaning says.
func commandInfo(call toolspecs.Call, arguments string) *transcript.CallInfo {
	info := &transcript.CallInfo{Name: call.Name, Meaning: call.Meaning}
	switch {
	case call.Command != "":
		info.Command = strings.TrimSpace(strings.TrimPrefix(call.Command, "$") + " " + arguments)
	default:
		info.Detail = arguments
	}
	return info
}

// flush ends what ran before this block. A command has ended when something
// follows it, and how is not written down. A test is followed by a note when it
// fails and by nothing when it does not.
func (h *history) flush(testFailed bool) {
	if h.state.Running != "" {
		h.result(h.state.Running, transcript.ResultInfo{Outcome: transcript.UnknownOutcome})
	}
	if h.state.Test != "" {
		h.result(h.state.Test, transcript.ResultInfo{Failed: testFailed})
	}
	h.state.Running, h.state.Test = "", ""
}

// lookup finds a command by its name, or by as much of it as no other one
// begins with, as Aider does.
func (r *Reader) lookup(name string) (toolspecs.Call, bool) {
	if call, known := r.Calls.Lookup(name); known || len(name) < 2 {
		return call, known
	}
	var found []toolspecs.Call
	for _, call := range r.Spec.Calls {
		if strings.HasPrefix(call.Name, name) {
			found = append(found, call)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return r.Calls.Lookup(name)
}
