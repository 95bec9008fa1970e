package acp

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/coder/acp-go-sdk"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// call is a tool call that has begun. An agent tells its parts as it learns them.
type call struct {
	Kind      string   `json:"kind,omitempty"`
	Title     string   `json:"title,omitempty"`
	Paths     []string `json:"paths,omitempty"`
	Command   string   `json:"command,omitempty"`
	Cwd       string   `json:"cwd,omitempty"`
	Whole     bool     `json:"whole,omitempty"` // the file is written, not changed
	HasOpened bool     `json:"told,omitempty"`
	Refused   bool     `json:"refused,omitempty"`
	Terminal  string   `json:"terminal,omitempty"`
	edit      *transcript.EditText
}

// asked is a request of the agent that waits for the editor's answer.
type asked struct {
	Method   string   `json:"method"`
	Call     string   `json:"call,omitempty"`
	Refusals []string `json:"refusals,omitempty"` // options by which the user says no
	Terminal string   `json:"terminal,omitempty"`
}

// output is what a terminal of the editor has shown.
type output struct {
	Text string `json:"text,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// maxOutput bounds what is kept of a terminal's text, in bytes.
const maxOutput = 4 << 10

func (s *session) callOf(id string) *call {
	if s.state.Calls == nil || len(s.state.Calls) > maxCalls {
		s.state.Calls = map[string]*call{}
	}
	if s.state.Calls[id] == nil {
		s.state.Calls[id] = &call{}
	}
	return s.state.Calls[id]
}

func (s *session) begins(u *acp.SessionUpdateToolCall) {
	c := s.callOf(string(u.ToolCallId))
	c.learn(string(u.Kind), u.Title, u.Locations, u.Content, u.RawInput)
	s.moved(string(u.ToolCallId), c, string(u.Status), u.Content, u.RawOutput)
}

func (s *session) changes(u *acp.SessionToolCallUpdate) {
	c := s.callOf(string(u.ToolCallId))
	kind, title, status := "", "", ""
	if u.Kind != nil {
		kind = string(*u.Kind)
	}
	if u.Title != nil {
		title = *u.Title
	}
	if u.Status != nil {
		status = string(*u.Status)
	}
	c.learn(kind, title, u.Locations, u.Content, u.RawInput)
	s.moved(string(u.ToolCallId), c, status, u.Content, u.RawOutput)
}

// learn takes in what is new of a call.
func (c *call) learn(kind, title string, places []acp.ToolCallLocation, content []acp.ToolCallContent, input any) {
	c.edit = nil
	c.Kind, c.Title = cmp.Or(kind, c.Kind), cmp.Or(title, c.Title)
	for _, place := range places {
		c.addPath(place.Path)
	}
	for _, one := range content {
		switch {
		case one.Diff != nil:
			c.addPath(one.Diff.Path)
			before := ""
			if one.Diff.OldText != nil {
				before = *one.Diff.OldText
			}
			c.Whole = before == ""
			c.edit = &transcript.EditText{Path: one.Diff.Path, Before: before, After: one.Diff.NewText}
		case one.Terminal != nil:
			c.Terminal = one.Terminal.TerminalId
		}
	}
	members, _ := input.(map[string]any)
	for _, name := range []string{"file_path", "filePath", "path", "abs_path"} {
		if path, ok := members[name].(string); ok {
			c.addPath(path)
		}
	}
	c.Command = cmp.Or(commandIn(members["command"]), c.Command)
	if cwd, ok := members["cwd"].(string); ok {
		c.Cwd = cwd
	}
}

func (c *call) addPath(path string) {
	if path != "" && !slices.Contains(c.Paths, path) && len(c.Paths) < 16 {
		c.Paths = append(c.Paths, path)
	}
}

// commandIn is a shell text: as it is, or the last word of a command that starts a
// shell with it.
func commandIn(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case []any:
		var words []string
		for _, word := range value {
			if text, ok := word.(string); ok {
				words = append(words, text)
			}
		}
		if n := len(words); n > 2 && strings.HasPrefix(words[n-2], "-") && strings.HasSuffix(words[n-2], "c") {
			return words[n-1]
		}
		return strings.Join(words, " ")
	}
	return ""
}

// moved tells a call once it runs, and its result once it has ended.
func (s *session) moved(id string, c *call, status string, content []acp.ToolCallContent, raw any) {
	ended := status == string(acp.ToolCallStatusCompleted) || status == string(acp.ToolCallStatusFailed)
	if !ended && status != string(acp.ToolCallStatusInProgress) && c.edit == nil {
		return
	}
	if !ended && c.Kind == string(acp.ToolKindExecute) && c.Command == "" {
		return // its command comes with one of the next reports
	}
	if !c.HasOpened {
		s.tell(id, c)
	}
	if !ended {
		return
	}
	delete(s.state.Calls, id)
	s.result(id, c, status == string(acp.ToolCallStatusFailed), content, raw)
}

func (s *session) tell(id string, c *call) {
	c.HasOpened = true
	name := cmp.Or(c.Kind, string(acp.ToolKindOther))
	if c.Kind == string(acp.ToolKindEdit) && c.Whole {
		name = "write"
	}
	known, ok := s.Calls.Lookup(name)
	if !ok {
		s.UnknownCall(s.state.Version, name)
	}
	event := s.event(transcript.Call)
	event.Call = &transcript.CallInfo{ID: id, Name: name, Meaning: cmp.Or(known.Meaning, transcript.Other), Detail: c.Title, Cwd: c.Cwd}
	switch known.Meaning {
	case transcript.Shell:
		event.Call.Command = cmp.Or(c.Command, c.Title)
	default:
		event.Call.Paths = c.Paths
	}
	s.Add(event)
	if c.edit != nil {
		s.Edited(c.edit.Path, c.edit.Before, c.edit.After)
	}
}

func (s *session) result(id string, c *call, failed bool, content []acp.ToolCallContent, raw any) {
	info := &transcript.ResultInfo{CallID: id, Failed: failed, Text: resultText(content, raw), ExitCode: exitCode(raw)}
	if shown, ok := s.state.Outputs[c.Terminal]; ok && c.Terminal != "" {
		info.Text, info.ExitCode = cmp.Or(info.Text, shown.Text), cmp.Or(info.ExitCode, shown.Exit)
	}
	switch {
	case c.Refused:
		info.Outcome = transcript.Rejected
	case info.ExitCode != nil && *info.ExitCode != 0:
		info.Failed = true
	case !failed && info.Text == "" && info.ExitCode == nil && c.Kind == string(acp.ToolKindExecute):
		info.Outcome, info.Unseen = transcript.UnknownOutcome, true // how a command ended is not said
	}
	event := s.event(transcript.Result)
	event.Parent, event.Result = id, info
	s.Add(event)
}

// resultText is what a call brought, in words.
func resultText(content []acp.ToolCallContent, raw any) string {
	var texts []string
	for _, one := range content {
		if one.Content != nil {
			if text := blockText(one.Content.Content); text != "" {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) > 0 {
		return strings.Join(texts, "\n")
	}
	switch raw := raw.(type) {
	case string:
		return raw
	case map[string]any:
		for _, name := range []string{"formatted_output", "aggregated_output", "output", "content", "stdout", "error", "message"} {
			if text, ok := raw[name].(string); ok && text != "" {
				return text
			}
		}
	}
	return ""
}

// exitCode is the status of a command, where the agent gives one.
func exitCode(raw any) *int {
	members, _ := raw.(map[string]any)
	if inner, ok := members["metadata"].(map[string]any); ok {
		members = inner
	}
	for _, name := range []string{"exit_code", "exitCode", "exit"} {
		if number, ok := members[name].(float64); ok {
			code := int(number)
			return &code
		}
	}
	return nil
}

// asks remembers a request of the agent whose answer says something.
func (s *session) asks(m Message) {
	waits := &asked{Method: m.Method}
	switch m.Method {
	case acp.ClientMethodSessionRequestPermission:
		var request acp.RequestPermissionRequest
		if json.Unmarshal(m.Params, &request) != nil {
			return
		}
		c := s.callOf(string(request.ToolCall.ToolCallId))
		kind := ""
		if request.ToolCall.Kind != nil {
			kind = string(*request.ToolCall.Kind)
		}
		c.learn(kind, "", request.ToolCall.Locations, request.ToolCall.Content, request.ToolCall.RawInput)
		waits.Call = string(request.ToolCall.ToolCallId)
		for _, option := range request.Options {
			if option.Kind == acp.PermissionOptionKindRejectOnce || option.Kind == acp.PermissionOptionKindRejectAlways {
				waits.Refusals = append(waits.Refusals, string(option.OptionId))
			}
		}
	case acp.ClientMethodTerminalOutput, acp.ClientMethodTerminalWaitForExit:
		waits.Terminal = transcript.Text(transcript.Member(m.Params, "terminalId"))
	default:
		return
	}
	if s.state.Asked == nil || len(s.state.Asked) > maxCalls {
		s.state.Asked = map[string]*asked{}
	}
	s.state.Asked[string(m.ID)] = waits
}

// answered takes in what the editor answered.
func (s *session) answered(to asked, result json.RawMessage) {
	if to.Method == acp.ClientMethodSessionRequestPermission {
		var response acp.RequestPermissionResponse
		if json.Unmarshal(result, &response) != nil {
			return
		}
		selected := response.Outcome.Selected
		s.callOf(to.Call).Refused = selected == nil || slices.Contains(to.Refusals, string(selected.OptionId))
		return
	}
	if s.state.Outputs == nil || len(s.state.Outputs) > maxCalls {
		s.state.Outputs = map[string]output{}
	}
	shown := s.state.Outputs[to.Terminal]
	if text := transcript.Text(transcript.Member(result, "output")); text != "" {
		shown.Text = text[max(0, len(text)-maxOutput):]
	}
	status := transcript.Member(result, "exitStatus")
	if status == nil {
		status = result
	}
	var code int
	if json.Unmarshal(transcript.Member(status, "exitCode"), &code) == nil {
		shown.Exit = &code
	}
	s.state.Outputs[to.Terminal] = shown
}
