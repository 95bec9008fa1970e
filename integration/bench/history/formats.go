package history

import (
	"encoding/json"
	"fmt"
)

// quote is a text as JSON.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // no text fails
	return string(quoted)
}

// claudeCode writes as Claude Code 2.1 does.
type claudeCode struct {
	*session
	parent string
}

func (c *claudeCode) path() string {
	return fmt.Sprintf("claude/projects/-home-dev-project%d/%s.jsonl", c.number/10, c.id(0))
}

func (c *claudeCode) begin() {}

// record writes a record of the conversation.
func (c *claudeCode) record(kind, rest string) {
	id, parent := c.id(c.records+1), "null"
	if c.parent != "" {
		parent = quote(c.parent)
	}
	c.parent = id
	c.line(fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.300","gitBranch":"main","type":%q,%s,"uuid":%q,"timestamp":%q}`,
		parent, c.cwd, c.id(0), kind, rest, id, c.stamp()))
}

func (c *claudeCode) request(text string) {
	c.record("user", `"message":{"role":"user","content":`+quote(text)+`}`)
}

func (c *claudeCode) assistant(content string) {
	c.record("assistant", fmt.Sprintf(`"requestId":"req_%d_%d","message":{"id":"msg_%d_%d","type":"message","role":"assistant","model":"claude-opus-5","content":[%s],"stop_reason":null,"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":120,"output_tokens":80}}`,
		c.number, c.records, c.number, c.records, content, 10+c.records%7, 9000+20*c.records))
}

func (c *claudeCode) think(text string) {
	c.assistant(`{"type":"thinking","thinking":` + quote(text) + `,"signature":"` + c.id(c.records) + `"}`)
}

func (c *claudeCode) reply(text string) { c.assistant(`{"type":"text","text":` + quote(text) + `}`) }

// call writes a call with its result, which Claude Code writes twice: for the
// model and as its own record of what was done.
func (c *claudeCode) call(name, input, output, own string, failed bool) {
	c.calls++
	id := fmt.Sprintf("toolu_%06d%06d", c.number, c.calls)
	c.assistant(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, input))
	c.record("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":%s,"is_error":%t}]},"toolUseResult":%s`,
		id, quote(output), failed, own))
}

func (c *claudeCode) run(command, output string, failed bool) {
	own := `{"stdout":` + quote(output) + `,"stderr":"","interrupted":false,"isImage":false}`
	if failed {
		output = "Exit code 1\n" + output
		own = quote("Error: " + output)
	}
	c.call("Bash", `{"command":`+quote(command)+`,"description":"Run the tests"}`, output, own, failed)
}

func (c *claudeCode) edit(path, before, after string) {
	path = c.cwd + "/" + path
	input := fmt.Sprintf(`{"file_path":%q,"old_string":%s,"new_string":%s}`, path, quote(before), quote(after))
	c.call("Edit", input, "The file "+path+" has been updated.", input, false)
}

// aside writes what Claude Code notes beside the conversation.
func (c *claudeCode) aside(n int) {
	if n%3 == 1 {
		c.record("progress", `"data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"PostToolUse:Bash","command":"`+c.words.text(c.random, 80, 160)+`"},"toolUseID":"t","parentToolUseID":"t"`)
	}
	if n%8 == 5 {
		c.line(fmt.Sprintf(`{"type":"file-history-snapshot","messageId":%q,"snapshot":{"messageId":%q,"trackedFileBackups":{},"timestamp":%q},"isSnapshotUpdate":false}`,
			c.parent, c.parent, c.stamp()))
	}
}

// codex writes as Codex 0.142 does.
type codex struct{ *session }

func (c *codex) path() string {
	return fmt.Sprintf("codex/sessions/%s/rollout-%s-%s.jsonl", c.at.Format("2006/01/02"), c.at.Format("2006-01-02T15-04-05"), c.id(0))
}

func (c *codex) record(kind, payload string) {
	c.line(fmt.Sprintf(`{"timestamp":%q,"type":%q,"payload":%s}`, c.stamp(), kind, payload))
}

func (c *codex) begin() {
	c.record("session_meta", fmt.Sprintf(`{"id":%q,"timestamp":%q,"cwd":%q,"originator":"codex-tui","cli_version":"0.142.0","source":"cli","git":{"branch":"main"},"base_instructions":{"text":%s}}`,
		c.id(0), c.stamp(), c.cwd, quote(c.words.text(c.random, 100, 200))))
	c.record("turn_context", fmt.Sprintf(`{"turn_id":"t1","cwd":%q,"model":"gpt-6-sol","approval_policy":"never"}`, c.cwd))
}

func (c *codex) request(text string) {
	c.record("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":`+quote(text)+`}]}`)
	c.record("event_msg", `{"type":"user_message","message":`+quote(text)+`}`)
}

func (c *codex) think(text string) {
	c.record("response_item", `{"type":"reasoning","summary":[],"encrypted_content":`+quote(text)+`}`)
}

func (c *codex) reply(text string) {
	c.record("event_msg", `{"type":"agent_message","message":`+quote(text)+`}`)
	c.record("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`+quote(text)+`}]}`)
}

func (c *codex) run(command, output string, failed bool) {
	c.calls++
	code := 0
	if failed {
		code = 1
	}
	id := fmt.Sprintf("call_%d_%d", c.number, c.calls)
	arguments := fmt.Sprintf(`{"cmd":%s,"workdir":%q}`, quote(command), c.cwd)
	c.record("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":%s,"call_id":%q}`, quote(arguments), id))
	text := fmt.Sprintf("Chunk ID: %06x\nWall time: 0.5 seconds\nProcess exited with code %d\nOriginal token count: 90\nOutput:\n%s", c.calls, code, output)
	c.record("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%s}`, id, quote(text)))
}

func (c *codex) edit(path, before, after string) {
	c.calls++
	id := fmt.Sprintf("call_%d_%d", c.number, c.calls)
	patch := "*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + before + "\n+" + after + "\n*** End Patch"
	c.record("response_item", fmt.Sprintf(`{"type":"custom_tool_call","status":"completed","call_id":%q,"name":"apply_patch","input":%s}`, id, quote(patch)))
	c.record("response_item", fmt.Sprintf(`{"type":"custom_tool_call_output","call_id":%q,"output":"Success. Updated the following files:\nM %s\n"}`, id, path))
}

func (c *codex) aside(n int) {
	c.record("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"output_tokens":90,"total_tokens":%d},"model_context_window":272000},"rate_limits":null}`,
		1000*(n+1), 9000+n, 9090+n))
}
