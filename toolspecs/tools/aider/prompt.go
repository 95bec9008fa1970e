package aider

import (
	"strings"

	"github.com/carryover-go/carryover/toolspecs"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// maxName bounds the name of a command, in bytes: a line may begin with a slash
// and be none.
const maxName = 40

// asks are the commands that only say how the text behind them is answered.
var asks = map[string]bool{"/ask": true, "/code": true, "/architect": true, "/context": true, "/help": true, "/ok": true}

// prompt reads what a person typed: a request, or a command.
func (h *history) prompt() {
	h.state.Failed, h.state.Malformed, h.state.Editing, h.state.Asked = false, false, false, false
	h.state.Open = nil
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
	default:
		h.request(text)
	}
}

// request is a prompt that goes to the model.
func (h *history) request(text string) {
	if transcript.Ours(text) {
		h.emit("0", transcript.Event{Kind: transcript.Restored})
		return
	}
	h.state.Busy = true
	h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
}

// command reads a line that begins with a slash or an exclamation mark.
func (h *history) command(text string) {
	name, arguments := "!", text[1:]
	if text[0] == '/' {
		name, arguments, _ = strings.Cut(text, " ")
		name = strings.TrimSpace(name)
	}
	arguments = strings.TrimSpace(arguments)
	call, known := h.lookup(name)
	switch {
	case asks[call.Name] && arguments != "":
		h.request(arguments)
		return
	case !known: // Aider does nothing for it, unless it knows more than we do
		h.batch.Coverage.Read--
		h.batch.Coverage.CountUnknown(h.state.Version, "call "+transcript.Cut(name, maxName), 1)
	}
	if call.Meaning == transcript.Other {
		h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
		return
	}
	event := h.emit("0", transcript.Event{Kind: transcript.Call, Call: commandInfo(call, arguments)})
	h.batch.Events[len(h.batch.Events)-1].Call.ID = event.ID
	if call.Name == "/test" && arguments != "" {
		h.state.Test = event.ID
	}
}

// lookup finds a command by its name, or by as much of it as no other one
// begins with, as Aider does.
func (h *history) lookup(name string) (toolspecs.Call, bool) {
	if call, known := h.calls.Lookup(name); known || len(name) < 2 {
		return call, known
	}
	var found []toolspecs.Call
	for _, call := range h.spec.Calls {
		if strings.HasPrefix(call.Name, name) {
			found = append(found, call)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return h.calls.Lookup(name)
}

// commandInfo puts the text behind a command where its meaning says.
func commandInfo(call toolspecs.Call, arguments string) *transcript.CallInfo {
	info := &transcript.CallInfo{Name: call.Name, Meaning: call.Meaning}
	switch {
	case call.Command != "":
		info.Command = strings.TrimSpace(strings.TrimPrefix(call.Command, "$") + " " + arguments)
	case len(call.Paths) > 0:
		info.Paths = strings.Fields(arguments)
	default:
		info.Detail = arguments
	}
	return info
}

// settleTest tells what came of a test command: its failure is told by the
// next block, and nothing at all is told of its success.
func (h *history) settleTest(failed bool) {
	if h.state.Test == "" {
		return
	}
	result := &transcript.ResultInfo{CallID: h.state.Test, Failed: failed}
	if failed {
		result.Text = h.said()
	}
	h.emit("test", transcript.Event{ID: h.state.Test + ".result", Kind: transcript.Result, Result: result})
	h.state.Test = ""
}
