package droid

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// part is a piece of a message.
type part struct {
	Type   string          `json:"type"`
	Text   string          `json:"text"`
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	CallID string          `json:"tool_use_id"`
	Error  bool            `json:"is_error"`
	Result json.RawMessage `json:"content"`
}

// parts are the pieces of a content, which may be a plain text.
func parts(content json.RawMessage) []part {
	if text := transcript.Text(content); text != "" {
		return []part{{Type: "text", Text: text}}
	}
	var list []part
	_ = json.Unmarshal(content, &list) // what is neither says nothing
	return list
}

// reminder is what the tool tells its model in the user's name.
var reminder = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)

// user reads a message in the user's name: a prompt, the results of calls, or
// what became of a hook.
func (s *session) user() {
	if s.Record.Message.Visibility == "user_only" {
		s.hooked()
		return
	}
	var words []string
	for n, part := range parts(s.Record.Message.Content) {
		switch part.Type {
		case "tool_result":
			s.result("r"+strconv.Itoa(n), part)
		case "text":
			words = append(words, part.Text)
		}
	}
	said := strings.TrimSpace(reminder.ReplaceAllString(strings.Join(words, "\n"), ""))
	event, spoken := s.Prompted(said)
	if !spoken {
		return
	}
	if event.Kind == transcript.Prompt && strings.HasPrefix(s.Record.ID, "context-") {
		event.Origin = transcript.Machine
	}
	s.emit("0", event)
}

// hooked reads what a hook printed: our own text is told of.
func (s *session) hooked() {
	for _, result := range s.Record.Message.Results {
		if transcript.Ours(result.Stdout) {
			s.emit("0", transcript.Event{Kind: transcript.Restored})
			return
		}
	}
}

func (s *session) assistant() {
	for n, part := range parts(s.Record.Message.Content) {
		place := strconv.Itoa(n)
		switch said := strings.TrimSpace(part.Text); {
		case part.Type == "text" && said != "":
			s.Decisions(s.emit(place, transcript.Event{Kind: transcript.Reply, Text: said}), said)
		case part.Type == "tool_use":
			s.call("c"+place, part)
		}
	}
}

func (s *session) call(place string, asked part) {
	known, found := s.Calls.Lookup(asked.Name)
	if !found {
		s.UnknownCall("", asked.Name)
	}
	event := s.emit(place, transcript.Event{Kind: transcript.Call, Call: known.Info(asked.ID, asked.Name, asked.Input)})
	s.EditedBy(known, event, asked.Input)
	s.Memory.Open.Open(event)
}

var (
	// exitLine stands behind what a command printed.
	exitLine = regexp.MustCompile(`\s*\[Process exited with code (\d+)\]\s*$`)
	// failedLine stands before it where the command failed.
	failedLine = regexp.MustCompile(`^Error: Command failed \(exit code: \d+\)\n`)
)

// result reads the answer to a call.
func (s *session) result(place string, given part) {
	open := s.Memory.Open.Close(given.CallID)
	var words []string
	for _, piece := range parts(given.Result) {
		words = append(words, piece.Text)
	}
	said := strings.TrimSpace(strings.Join(words, "\n"))
	info := &transcript.ResultInfo{CallID: given.CallID, Failed: given.Error}
	known, _ := s.Calls.Lookup(open.Name)
	if outcome := s.Spec.Outcome(said); outcome != "" {
		info.Outcome, info.Failed = outcome, false
	} else if found := exitLine.FindStringSubmatchIndex(said); found != nil && known.Meaning == transcript.Shell {
		code, _ := strconv.Atoi(said[found[2]:found[3]])
		info.ExitCode, info.Failed = &code, code != 0
		said = failedLine.ReplaceAllString(said[:found[0]], "")
	}
	info.Text = transcript.Foreign(said)
	s.emit(place, transcript.Event{Parent: open.Event, Kind: transcript.Result, Result: info})
}

// todoStates are the tool's words for the states of a todo.
var todoStates = map[string]string{"pending": "todo", "in_progress": "doing", "completed": "done"}

// todoLine is an entry of a list that is written as text.
var todoLine = regexp.MustCompile(`(?m)^\s*\d+\.\s*\[(\w+)\]\s*(.+)$`)

// todos are the list as the tool keeps it: entries, or a text with one a line.
func todos(kept json.RawMessage) []transcript.Item {
	if inner := transcript.Member(kept, "todos"); inner != nil {
		kept = inner
	}
	var items []transcript.Item
	for _, line := range todoLine.FindAllStringSubmatch(transcript.Text(kept), -1) {
		items = append(items, transcript.Item{Text: strings.TrimSpace(line[2]), State: todoStates[line[1]]})
	}
	for _, entry := range transcript.Elements(kept) {
		members := transcript.Members(entry, "content", "status")
		items = append(items, transcript.Item{Text: transcript.Text(members[0]), State: todoStates[transcript.Text(members[1])]})
	}
	return items
}
