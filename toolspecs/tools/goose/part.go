package goose

import (
	"encoding/json"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// part is a piece of a message: Goose writes its members beside the type, Crush in an
// object "data".
type part struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Text string `json:"text"`
	Call struct {
		Value struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"value"`
	} `json:"toolCall"`
	Result struct {
		Status string          `json:"status"`
		Value  json.RawMessage `json:"value"`
		Error  string          `json:"error"`
	} `json:"toolResult"`
	Data *data `json:"data"`
}

// data is what a part of Crush's holds.
type data struct {
	Text    string `json:"text"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	Input   string `json:"input"` // an object, written as text
	CallID  string `json:"tool_call_id"`
	Content string `json:"content"`
	Failed  bool   `json:"is_error"`
}

// call is a tool call: its id, its tool and the arguments as JSON.
type call struct {
	id, name string
	input    []byte
}

func (p part) calls() bool   { return p.Type == "toolRequest" || p.Type == "tool_call" }
func (p part) answers() bool { return p.Type == "toolResponse" }
func (p part) ofCrush() bool { return p.Data != nil }
func (p part) ends() bool    { return p.Type == "finish" }

func (p part) call() (call, bool) {
	switch {
	case p.Type == "toolRequest":
		return call{p.ID, p.Call.Value.Name, p.Call.Value.Arguments}, true
	case p.Type == "tool_call" && p.Data != nil:
		return call{p.Data.ID, p.Data.Name, []byte(p.Data.Input)}, true
	}
	return call{}, false
}

// result tells what came of a call.
func (p part) result() (*transcript.ResultInfo, bool) {
	switch {
	case p.Type == "toolResponse":
		return p.response(), true
	case p.Type == "tool_result" && p.Data != nil:
		text := transcript.Foreign(strings.TrimSpace(p.Data.Content))
		return &transcript.ResultInfo{CallID: p.Data.CallID, Failed: p.Data.Failed, Text: text}, true
	}
	return nil, false
}

// response is a result as Goose writes it: a list of texts, or an object with one.
func (p part) response() *transcript.ResultInfo {
	var value struct {
		Content json.RawMessage `json:"content"`
		Failed  bool            `json:"isError"`
	}
	list := p.Result.Value
	if json.Unmarshal(list, &value) == nil && value.Content != nil {
		list = value.Content
	}
	var words []string
	for _, piece := range transcript.Elements(list) {
		if text := transcript.Text(transcript.Member(piece, "text")); text != "" {
			words = append(words, text)
		}
	}
	text := strings.TrimSpace(strings.Join(append(words, p.Result.Error), "\n"))
	return &transcript.ResultInfo{
		CallID: p.ID, Failed: value.Failed || p.Result.Status == "error", Text: transcript.Foreign(text),
	}
}

// said is what the parts of a message say.
func said(parts []part) string {
	var words []string
	for _, part := range parts {
		switch {
		case part.Type != "text":
		case part.Data != nil:
			words = append(words, part.Data.Text)
		default:
			words = append(words, part.Text)
		}
	}
	return strings.Join(words, "\n")
}
