package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// geminiCompactPrompt is a word of Gemini CLI's compression request.
const geminiCompactPrompt = "state_snapshot"

// geminiPlans is the folder for plans, as Gemini CLI names it in plan mode.
var geminiPlans = regexp.MustCompile(`plans directory: ([^\s"\x60]+/plans/)`)

type geminiRequest struct {
	Contents []geminiContent `json:"contents"`
	System   geminiContent   `json:"systemInstruction"`
	Tools    []struct {
		Functions []json.RawMessage `json:"functionDeclarations"`
	} `json:"tools"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text     string          `json:"text"`
	Response json.RawMessage `json:"functionResponse"`
}

// text is what was said; what hooks put beside it is no part of the prompt.
func (c geminiContent) text() string {
	var parts []string
	for _, part := range c.Parts {
		if !strings.HasPrefix(part.Text, "<hook_context>") {
			parts = append(parts, part.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func (c geminiContent) answers() bool {
	for _, part := range c.Parts {
		if len(part.Response) > 0 {
			return true
		}
	}
	return false
}

// generate answers generateContent and streamGenerateContent.
func (s *Server) generate(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ":countTokens") {
		_, _ = io.WriteString(w, `{"totalTokens":1000}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	var request geminiRequest
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, `{"error":{"code":400,"message":"not JSON","status":"INVALID_ARGUMENT"}}`, http.StatusBadRequest)
		return
	}
	kind := request.kind()
	s.record("gemini", kind, body)
	step := Step{Say: `{"title":"a title","reasoning":"none","next_speaker":"user"}`}
	switch kind {
	case Compact:
		step = Step{Say: "<state_snapshot>" + s.summary() + "</state_snapshot>"}
	case Turn:
		step = s.step(request.position())
		if plans := geminiPlans.FindSubmatch(body); plans != nil {
			step = step.named(string(plans[1]) + PlanName)
		}
	}
	answer, err := json.Marshal(request.answer(step))
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\r\n\r\n", answer)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer)
}

func (r geminiRequest) kind() string {
	switch {
	case strings.Contains(r.System.text(), geminiCompactPrompt):
		return Compact
	case len(r.Tools) > 0 && len(r.Tools[0].Functions) > 0:
		return Turn
	}
	return Side
}

func (r geminiRequest) position() (prompt string, answered int) {
	for i := len(r.Contents) - 1; i >= 0; i-- {
		switch content := r.Contents[i]; {
		case content.answers():
			answered++
		case content.Role == "user":
			return content.text(), answered
		}
	}
	return "", answered
}

func (r geminiRequest) answer(step Step) object {
	var parts []object
	if step.Say != "" {
		parts = append(parts, object{"text": step.Say})
	}
	for i, call := range step.Calls {
		parts = append(parts, object{"functionCall": call.gemini(fmt.Sprintf("call_%d_%d", len(r.Contents), i))})
	}
	tokens := step.Tokens
	if tokens == 0 {
		tokens = 1000
	}
	return object{
		"candidates": []object{{
			"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0,
		}},
		"usageMetadata": object{"promptTokenCount": tokens, "candidatesTokenCount": 20, "totalTokenCount": tokens + 20},
		"modelVersion":  "gemini-2.5-pro",
	}
}

func (c Call) gemini(id string) object {
	name, args := "run_shell_command", object{"command": c.Run, "description": "run a command"}
	switch {
	case c.Write != nil:
		name, args = "write_file", object{"file_path": c.Write.Path, "content": c.Write.Content}
	case c.Edit != nil:
		name, args = "replace", object{"file_path": c.Edit.Path, "instruction": "change it", "old_string": c.Edit.Old, "new_string": c.Edit.New}
	case c.Read != "":
		name, args = "read_file", object{"file_path": c.Read}
	case c.Task != "":
		name, args = "invoke_agent", object{"agent_name": "generalist", "prompt": c.Task}
	case c.Own != nil:
		name, args = c.Own.Name, c.Own.Input
	}
	return object{"id": id, "name": name, "args": args}
}
