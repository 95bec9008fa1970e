package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// compactPrompt is a sentence of Claude Code's compaction request.
const compactPrompt = "create a detailed summary of the conversation"

// planFile is where Claude Code, in plan mode, wants the plan: each request says
// so again.
var planFile = regexp.MustCompile(`[^\s"\x60]+/\.claude/plans/[\w-]+\.md`)

type anthropicRequest struct {
	Model    string             `json:"model"`
	Messages []anthropicMessage `json:"messages"`
	Tools    []json.RawMessage  `json:"tools"`
	Stream   bool               `json:"stream"`
}

type anthropicMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// blocks are a message's parts; a plain string is one text part.
func (m anthropicMessage) blocks() []anthropicBlock {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []anthropicBlock{{Type: "text", Text: text}}
	}
	var list []anthropicBlock
	_ = json.Unmarshal(m.Content, &list)
	return list
}

type anthropicBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (s *Server) countTokens(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"input_tokens":1000}`)
}

func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request anthropicRequest
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, `{"type":"error","error":{"type":"invalid_request_error","message":"not JSON"}}`, http.StatusBadRequest)
		return
	}
	kind := request.kind()
	s.record("anthropic", kind, body)
	var step Step
	switch kind {
	case Compact:
		step = Step{Say: "<analysis>short</analysis>\n<summary>\n" + s.summary() + "\n</summary>"}
	case Side:
		step = Step{Say: `{"title":"a title","isNewTopic":false}`}
	default:
		step = s.step(request.position())
	}
	step = step.named(planFile.FindString(Request{Body: body}.Text()))
	if !request.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(object{
			"id": "msg_side", "type": "message", "role": "assistant", "model": request.Model, "stop_reason": "end_turn",
			"content": []object{{"type": "text", "text": step.Say}}, "usage": object{"input_tokens": 10, "output_tokens": 5},
		})
		return
	}
	s.streamMessage(newStream(w), request, step)
}

// kind tells the agent's own turns, which bring its tools along, from side
// requests and compaction.
func (r anthropicRequest) kind() string {
	if len(r.Messages) == 0 {
		return Side
	}
	for _, block := range r.Messages[len(r.Messages)-1].blocks() {
		if strings.Contains(block.Text, compactPrompt) {
			return Compact
		}
	}
	if len(r.Tools) < 3 {
		return Side
	}
	return Turn
}

// position is the text of the last prompt and how many answers followed it. A
// user message that only holds tool results continues the turn.
func (r anthropicRequest) position() (prompt string, answered int) {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		message := r.Messages[i]
		switch message.Role {
		case "assistant":
			answered++
		case "user":
			var text []string
			results := false
			for _, block := range message.blocks() {
				switch block.Type {
				case "text":
					text = append(text, block.Text)
				case "tool_result":
					results = true
				}
			}
			if !results && len(text) > 0 {
				return strings.Join(text, "\n"), answered
			}
		}
	}
	return "", answered
}

func (s *Server) streamMessage(out stream, request anthropicRequest, step Step) {
	tokens := step.Tokens
	if tokens == 0 {
		tokens = 1000
	}
	out.send("message_start", object{"type": "message_start", "message": object{
		"id": fmt.Sprintf("msg_%d_%d", len(request.Messages), len(request.Messages[0].Content)), "type": "message", "role": "assistant",
		"model": request.Model, "content": []object{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": tokens, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0},
	}})
	index := 0
	block := func(start, delta object) {
		out.send("content_block_start", object{"type": "content_block_start", "index": index, "content_block": start})
		out.send("content_block_delta", object{"type": "content_block_delta", "index": index, "delta": delta})
		out.send("content_block_stop", object{"type": "content_block_stop", "index": index})
		index++
	}
	if step.Say != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": step.Say})
	}
	stop := "end_turn"
	for i, call := range step.Calls {
		stop = "tool_use"
		name, input := call.anthropic()
		text, _ := json.Marshal(input)
		id := fmt.Sprintf("toolu_%d_%d", len(request.Messages), i)
		block(object{"type": "tool_use", "id": id, "name": name, "input": object{}}, object{"type": "input_json_delta", "partial_json": string(text)})
	}
	out.send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 20}})
	out.send("message_stop", object{"type": "message_stop"})
}

func (c Call) anthropic() (string, object) {
	switch {
	case c.Write != nil:
		return "Write", object{"file_path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		return "Edit", object{"file_path": c.Edit.Path, "old_string": c.Edit.Old, "new_string": c.Edit.New}
	case c.Read != "":
		return "Read", object{"file_path": c.Read}
	case c.Task != "":
		return "Agent", object{"description": "a subagent", "prompt": c.Task, "subagent_type": "general-purpose"}
	case c.Own != nil:
		return c.Own.Name, c.Own.Input
	}
	return "Bash", object{"command": c.Run, "description": "run a command"}
}
