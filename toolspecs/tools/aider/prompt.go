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
	h.state.Failed, h.state.Malformed, h.state.Editing, h.state.Asked, h.state.Watched = false, false, false, false, false
	h.state.Retries, h.state.Saving = false, false
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
	case h.state.Said != 0 && h.state.Said == begins(text): // the architect's plan, to the editor model
		h.state.Busy, h.state.Ended, h.state.Editing = true, false, true
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
		h.state.Aside = false
		h.request("0", asked(text))
	}
}

// asked is what the person wrote, without what Aider puts around it: the documentation
// behind a question of /help, the code around a comment.
func asked(text string) string {
	if comments := commented(text); comments != "" {
		return comments
	}
	question, help := strings.CutPrefix(text, "# Question: ")
	if question, _, found := strings.Cut(question, "\n# Relevant docs:"); help && found {
		return strings.TrimSpace(question)
	}
	return text
}

// marked begins a line of code with a comment that asks for something. Aider sends the
// files of the comments with two lines of its own before them (aider/watch_prompts.py
// of 0.86).
const marked = "█"

// aiMark is what tells Aider that a comment is for it, at its start or its end.
var aiMark = regexp.MustCompile(`(?i)^\W*ai\b[!?]?\W*|\W*\bai[!?]?\W*$`)

// commented are the comments that Aider was asked by, each with its file; "" for a
// prompt that holds none.
func commented(text string) string {
	if head, _, _ := strings.Cut(text, "\n\n"); !strings.Contains(head, `"AI" comments`) || !strings.Contains(head, "(marked with "+marked+")") {
		return ""
	}
	var all []string
	file := ""
	for line := range strings.SplitSeq(text, "\n") {
		if comment, ok := strings.CutPrefix(line, marked); ok {
			if comment = strings.TrimSpace(aiMark.ReplaceAllString(strings.TrimSpace(comment), "")); comment != "" {
				all = append(all, file+strings.TrimLeft(comment, "/#*-;<!% \t"))
			}
		} else if name, ok := strings.CutSuffix(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(line, "│") && !strings.Contains(name, " ") {
			file = strings.ReplaceAll(name, `\`, "/") + ": "
		}
	}
	return strings.Join(all, "\n")
}

func sentPrint(text string) uint32 { return transcript.Fingerprint(strings.TrimSpace(asked(text))) }

// byComment is a request of which the history has only the answer. A comment in the code
// that asks for a change is sent without being written down, and Aider says no more than
// that it processes a request (aider/watch.py and io.py of 0.86; a comment that asks a
// question is written down). What was asked for is told as the answer takes it up.
func (h *history) byComment(answer string) {
	h.state.Watched = false
	first, _, _ := strings.Cut(answer, "\n")
	if words, agreed := strings.CutPrefix(first, "Okay, "); agreed {
		first = words
	}
	if first = strings.TrimSuffix(strings.TrimSpace(first), ":"); first != "" {
		h.request("asked", transcript.Restated+first)
	}
}

// request is a prompt that goes to the model, a part of this block.
func (h *history) request(part, text string) {
	if transcript.Ours(text) {
		h.emit(part, transcript.Event{Kind: transcript.Restored})
		return
	}
	h.state.Busy, h.state.Ended = true, false
	h.emit(part, transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Typed})
}

// sends are the commands whose text goes to the model, unless it is a command itself,
// which Aider runs instead ("/ask /drop a.go"). It writes the text down again as a prompt
// of its own.
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
	// What /commit saves is what the person has changed.
	h.state.Names.Typed, h.state.Saving = strings.Fields(arguments), call.Name == "/commit"
	if !known { // Aider does nothing for it, unless it knows more than we do
		h.Coverage().Read--
		h.Coverage().CountUnknown(h.state.Version, "call "+transcript.Truncate(name, maxName), 1)
	}
	if sends[call.Name] && arguments != "" && arguments[0] != '/' && arguments[0] != '!' {
		h.state.Sent, h.state.Aside = sentPrint(arguments), call.Name != "/architect"
		h.request("0", arguments)
		return
	}
	if call.Meaning == transcript.Other {
		h.emit("0", transcript.Event{Kind: transcript.Prompt, Text: text, Origin: transcript.Machine})
		return
	}
	id := h.callBy(transcript.Typed, commandInfo(call, arguments))
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
		h.result(h.state.Running, transcript.ResultInfo{Outcome: transcript.UnknownOutcome, Unseen: true})
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
