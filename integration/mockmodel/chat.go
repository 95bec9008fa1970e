package mockmodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// chatCompactPrompts are what the agents' compaction requests say, at their end
// or in the system's words.
var chatCompactPrompts = []string{
	"<overview>", "Do not mention the summary process", qwenCompactPrompt,
	"You are about to run out of context", "You are a context summarization assistant", openHandsCompactPrompt,
}

// openHandsCompactPrompt ends that of OpenHands CLI; qwenCompactPrompt Qwen Code's, which
// wants to hear of so many tokens.
const (
	openHandsCompactPrompt = "Now summarize the events using the rules above."

	qwenCompactPrompt = "the <state_snapshot> XML"
	qwenSummed        = 150_000
)

// chatSidePrompts are what those say that come with tools, and are no turn.
var chatSidePrompts = []string{"Existing memory files"} // Qwen Code's, after each turn

// reminder begins what Copilot CLI's hooks put behind a prompt.
const reminder = "<system_reminder>"

// beside are blocks that agents and their hooks put before a prompt, or in a
// message of their own after it.
var beside = regexp.MustCompile(`(?s)^\s*(<system-reminder>.*?</system-reminder>|<hook_result.*?</hook_result>|Recently accessed file.*|# \[CARRYOVER\].*)`)

// said is a message without such blocks.
func said(text string) string {
	for {
		block := beside.FindString(text)
		if block == "" {
			return strings.TrimSpace(text)
		}
		text = text[len(block):]
	}
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []chatTool    `json:"tools"`
	Stream   bool          `json:"stream"`
}

type chatTool struct {
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// text is a content: a string, or parts with text.
func (m chatMessage) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var list []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &list)
	var parts []string
	for _, part := range list {
		parts = append(parts, part.Text)
	}
	return strings.Join(parts, "\n")
}

// completions answers OpenAI's chat completions, which Copilot CLI, OpenCode and
// Aider speak to a model of the user's own.
func (s *Server) completions(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request chatRequest
	if err != nil || json.Unmarshal(body, &request) != nil {
		http.Error(w, `{"error":{"message":"not JSON"}}`, http.StatusBadRequest)
		return
	}
	kind := request.kind()
	s.record("chat", kind, body)
	step := Step{Say: "a title"}
	switch kind {
	case Compact:
		step = Step{Say: "<overview><state_snapshot>" + s.summary() + "</state_snapshot></overview>"}
		if request.asks(qwenCompactPrompt) { // what it was asked with is subtracted from what was there
			step.Tokens = qwenSummed
		}
	case Turn:
		step = s.step(request.position())
		if request.edits() {
			step = s.textStep(request.lastPrompt())
		}
	}
	message := request.answer(step)
	reason := "stop"
	if len(step.Calls) > 0 {
		reason = "tool_calls"
	}
	if !request.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(request.completion("chat.completion", step, object{"index": 0, "message": message, "finish_reason": reason}))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []object{
		{"index": 0, "delta": message, "finish_reason": nil},
		{"index": 0, "delta": object{}, "finish_reason": reason},
	} {
		data, err := json.Marshal(request.completion("chat.completion.chunk", step, choice))
		if err != nil {
			panic(err) // maps of strings and numbers
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func (r chatRequest) kind() string {
	switch {
	case slices.ContainsFunc(chatCompactPrompts, r.asks):
		return Compact
	case slices.ContainsFunc(chatSidePrompts, r.asks):
		return Side
	}
	if len(r.Tools) > 0 || r.edits() {
		return Turn
	}
	return Side
}

// asks says whether the last message has some words, or the first begins with
// them.
func (r chatRequest) asks(words string) bool {
	n := len(r.Messages)
	return n > 0 && (strings.Contains(r.Messages[n-1].text(), words) || strings.HasPrefix(r.Messages[0].text(), words))
}

func (r chatRequest) position() (prompt string, answered int) {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		switch message := r.Messages[i]; message.Role {
		case "tool":
			answered++
		case "user":
			prompt, _, _ = strings.Cut(message.text(), reminder)
			prompt, _, _ = strings.Cut(prompt, "\n# [CARRYOVER]") // what a hook put behind it
			if prompt = said(prompt); prompt != "" {
				return prompt, answered
			}
		}
	}
	return "", answered
}

func (r chatRequest) completion(kind string, step Step, choice object) object {
	tokens := step.Tokens
	if tokens == 0 {
		tokens = 1000
	}
	return object{
		"id": fmt.Sprintf("chatcmpl-%d", len(r.Messages)), "object": kind, "created": 0, "model": r.Model,
		"choices": []object{choice},
		"usage":   object{"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20},
	}
}

func (r chatRequest) answer(step Step) object {
	message := object{"role": "assistant", "content": step.Say}
	var calls []object
	for i, call := range step.Calls {
		name, arguments := r.spoken(call)
		calls = append(calls, object{
			"index": i, "id": fmt.Sprintf("call_%d_%d", len(r.Messages), i), "type": "function",
			"function": object{"name": name, "arguments": quoteObject(arguments)},
		})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return message
}

// has says whether the agent offers a tool.
func (r chatRequest) has(name string) bool {
	return slices.ContainsFunc(r.Tools, func(tool chatTool) bool { return tool.Function.Name == name })
}

// quoteObject is an object as the text of a call's arguments.
func quoteObject(arguments object) string {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // strings
	}
	return string(data)
}
