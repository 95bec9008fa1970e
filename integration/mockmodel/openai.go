package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// openaiCompactPrompt is a sentence of Codex' local compaction request.
const openaiCompactPrompt = "CONTEXT CHECKPOINT COMPACTION"

type openaiRequest struct {
	Model string            `json:"model"`
	Input []openaiItem      `json:"input"`
	Tools []json.RawMessage `json:"tools"`
	Text  json.RawMessage   `json:"text"` // output schema: set in title requests
}

type openaiItem struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content []openaiContent `json:"content"`
	Tools   json.RawMessage `json:"tools"`
}

type openaiContent struct {
	Text      string `json:"text"`
	Encrypted string `json:"encrypted_content"` // a subagent's task; what its service would hide stands there as it was given
}

func (i openaiItem) text() string {
	var parts []string
	for _, c := range i.Content {
		parts = append(parts, c.Text+c.Encrypted)
	}
	return strings.Join(parts, "\n")
}

func (s *Server) responses(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request openaiRequest
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, `{"error":{"message":"not JSON"}}`, http.StatusBadRequest)
		return
	}
	kind := request.kind()
	s.record("openai", kind, body)
	step := Step{Say: `{"title":"a title"}`}
	switch kind {
	case Compact:
		step = Step{Say: s.summary()}
	case Turn:
		step = s.step(request.position())
	}
	s.streamResponse(newStream(w), request, step)
}

// openaiTitlePrompt begins the request in which Codex asks what a thread shall
// be called.
const openaiTitlePrompt = "Generate a concise, single-line task title"

func (r openaiRequest) kind() string {
	if len(r.Input) > 0 {
		last := r.Input[len(r.Input)-1]
		if last.Type == "compaction_trigger" || strings.Contains(last.text(), openaiCompactPrompt) {
			return Compact
		}
		if strings.Contains(last.text(), openaiTitlePrompt) {
			return Side // it comes with the tools, beside the first turn
		}
	}
	if len(r.Tools) > 0 {
		return Turn
	}
	for _, item := range r.Input {
		if item.Type == "additional_tools" {
			return Turn
		}
	}
	return Side
}

// codeMode says that tools are called from JavaScript: the tool list stands in
// the input and offers only exec.
func (r openaiRequest) codeMode() bool {
	for _, item := range r.Input {
		if item.Type == "additional_tools" && strings.Contains(string(item.Tools), `"exec"`) {
			return true
		}
	}
	for _, tool := range r.Tools {
		if strings.Contains(string(tool), `"name":"exec"`) {
			return true
		}
	}
	return false
}

func (r openaiRequest) position() (prompt string, answered int) {
	for i := len(r.Input) - 1; i >= 0; i-- {
		switch item := r.Input[i]; {
		case strings.HasSuffix(item.Type, "_call_output"):
			answered++
		case item.Type == "agent_message": // to a subagent
			return item.text(), answered
		case item.Type == "message" && item.Role == "assistant":
		case item.Type == "message" && item.Role == "user":
			text := item.text()
			if strings.HasPrefix(text, "<environment_context>") || strings.HasPrefix(text, "# AGENTS.md") {
				continue
			}
			return text, answered
		}
	}
	return "", answered
}

func (s *Server) streamResponse(out stream, request openaiRequest, step Step) {
	id := fmt.Sprintf("resp_%d", len(request.Input))
	out.send("response.created", object{"type": "response.created", "response": object{"id": id}})
	n := 0
	item := func(item object) {
		out.send("response.output_item.done", object{"type": "response.output_item.done", "output_index": n, "item": item})
		n++
	}
	if step.Say != "" {
		item(object{
			"type": "message", "id": fmt.Sprintf("msg_%d", len(request.Input)), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": step.Say, "annotations": []object{}}},
		})
	}
	for i, call := range step.Calls {
		item(call.openai(fmt.Sprintf("call_%d_%d", len(request.Input), i), request.codeMode()))
	}
	tokens := step.Tokens
	if tokens == 0 {
		tokens = 1000
	}
	out.send("response.completed", object{"type": "response.completed", "response": object{"id": id, "usage": object{
		"input_tokens": tokens, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 20,
		"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": tokens + 20,
	}}})
}

func (c Call) openai(id string, codeMode bool) object {
	if c.Task != "" {
		arguments := quoteObject(object{"task_name": "helper", "message": c.Task, "fork_turns": "none"})
		return object{"type": "function_call", "id": "fc_" + id, "call_id": id, "namespace": "collaboration", "name": "spawn_agent", "arguments": arguments, "status": "completed"}
	}
	if c.Own != nil {
		return object{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": c.Own.Name, "arguments": quoteObject(c.Own.Input), "status": "completed"}
	}
	command, patch := c.Run, ""
	switch {
	case c.Write != nil:
		patch = "*** Begin Patch\n*** Add File: " + c.Write.Path + "\n" + prefixLines("+", c.Write.Content) + "*** End Patch\n"
	case c.Edit != nil:
		patch = "*** Begin Patch\n*** Update File: " + c.Edit.Path + "\n@@\n" + prefixLines("-", c.Edit.Old) + prefixLines("+", c.Edit.New) + "*** End Patch\n"
	case c.Read != "":
		command = "cat " + c.Read
	}
	if codeMode {
		script := "const r = await tools.exec_command({cmd: " + quote(command) + "}); text(r.output);"
		if patch != "" {
			script = "text(await tools.apply_patch(" + quote(patch) + "));"
		}
		return object{"type": "custom_tool_call", "id": "ctc_" + id, "call_id": id, "name": "exec", "input": script, "status": "completed"}
	}
	if patch != "" {
		return object{"type": "custom_tool_call", "id": "ctc_" + id, "call_id": id, "name": "apply_patch", "input": patch, "status": "completed"}
	}
	return object{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": "exec_command", "arguments": `{"cmd":` + quote(command) + `}`, "status": "completed"}
}

func prefixLines(prefix, text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(prefix + line + "\n")
	}
	return b.String()
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return string(data)
}
