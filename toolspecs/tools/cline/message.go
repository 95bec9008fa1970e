package cline

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// message is one as it is sent to the model.
type message struct {
	Role     string          `json:"role"`
	Content  json.RawMessage `json:"content"`
	Time     int64           `json:"ts"` // milliseconds
	Metadata struct {
		Shown string `json:"displayRole"` // system: put there by the tool or a hook
	} `json:"metadata"`
}

// part is a piece of a message.
type part struct {
	Type   string          `json:"type"`
	Text   string          `json:"text"`
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	CallID string          `json:"tool_use_id"`
	Result json.RawMessage `json:"content"`
	Error  bool            `json:"is_error"`
}

func (m message) parts() []part {
	if text := transcript.Text(m.Content); text != "" {
		return []part{{Type: "text", Text: text}}
	}
	var list []part
	_ = json.Unmarshal(m.Content, &list) // what is neither says nothing
	return list
}

var (
	// spoken is what the user typed, as the tool frames it.
	spoken = regexp.MustCompile(`(?s)<(?:user_input[^>]*|task|feedback|user_message|answer)>(.*?)</(?:user_input|task|feedback|user_message|answer)>`)
	// beside is what the tool puts around it.
	beside = regexp.MustCompile(`(?s)<(environment_details|hook_context|explicit_instructions)[^>]*>.*?</(environment_details|hook_context|explicit_instructions)>`)
)

// user reads what stands in the user's name: a prompt, or results of calls.
func (s *session) user(said message) {
	var words []string
	for n, part := range said.parts() {
		switch {
		case part.Type == "tool_result":
			s.result("r"+strconv.Itoa(n), part)
		case strings.Contains(part.Text, transcript.Sentinel) && said.Metadata.Shown == "system":
			s.emit("restored", transcript.Event{Kind: transcript.Restored})
		case part.Type == "text" && said.Metadata.Shown != "system":
			words = append(words, part.Text)
		}
	}
	text := strings.Join(words, "\n")
	if framed := spoken.FindStringSubmatch(text); framed != nil {
		text = framed[1]
	}
	text = strings.TrimSpace(beside.ReplaceAllString(text, ""))
	if event, said := s.Prompted(text); said {
		s.emit("0", event)
	}
}

// answer reads what the model said and asked for. Without a call it ends the
// turn.
func (s *session) answer(said message) {
	called := false
	for n, part := range said.parts() {
		place := strconv.Itoa(n)
		switch text := strings.TrimSpace(part.Text); {
		case part.Type == "text" && text != "":
			s.Decisions(s.emit(place, transcript.Event{Kind: transcript.Reply, Text: text}), text)
		case part.Type == "tool_use":
			called = true
			s.call("c"+place, part)
		}
	}
	if !called {
		s.emit("turn", transcript.Event{Kind: transcript.Turn, Text: transcript.TurnCompleted})
	}
}

func (s *session) call(place string, asked part) {
	known, found := s.Calls.Lookup(asked.Name)
	if !found {
		s.UnknownCall("", asked.Name)
	}
	info := known.Info(asked.ID, asked.Name, asked.Input)
	if known.Command != "" && info.Command == "" {
		var commands []string
		_ = json.Unmarshal(transcript.Member(asked.Input, known.Command), &commands) // one alone was read above
		info.Command = strings.Join(commands, "\n")
	}
	event := s.emit(place, transcript.Event{Kind: transcript.Call, Call: info})
	s.EditedBy(known, event, asked.Input)
	s.calls[asked.ID] = call{event.ID, asked.Name}
}

// exitLine says how a command ended, in its result or its error.
var exitLine = regexp.MustCompile(`(?:exited with code|exit code:?) (\d+)`)

// outcome is what a result says of itself, where it does.
type outcome struct {
	Result  string `json:"result"`
	Error   string `json:"error"`
	Success *bool  `json:"success"`
}

// result reads the answer to a call: a text, or what it says of itself.
func (s *session) result(place string, given part) {
	open := s.calls[given.CallID]
	text := transcript.Text(given.Result)
	info := &transcript.ResultInfo{CallID: given.CallID, Failed: given.Error}
	var outcomes []outcome
	var one outcome
	switch {
	case json.Unmarshal(given.Result, &outcomes) == nil:
	case json.Unmarshal([]byte(text), &one) == nil && one.Success != nil:
		outcomes = []outcome{one}
	}
	for _, each := range outcomes {
		if each.Success == nil {
			continue
		}
		text = strings.TrimSpace(each.Result + "\n" + each.Error)
		info.Failed = info.Failed || !*each.Success
	}
	if outcomes != nil && text == "" {
		for _, piece := range transcript.Elements(given.Result) {
			text += transcript.Text(transcript.Member(piece, "text"))
		}
	}
	if known, _ := s.Calls.Lookup(open.name); known.Meaning == transcript.Shell {
		if found := exitLine.FindStringSubmatch(text); found != nil {
			code, _ := strconv.Atoi(found[1])
			info.ExitCode, info.Failed = &code, code != 0
		}
	}
	info.Text = transcript.Foreign(text)
	s.emit(place, transcript.Event{Parent: open.event, Kind: transcript.Result, Result: info})
}
