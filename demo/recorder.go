package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Where and when the story happens. scripts/demo puts the demo's own folder
// and a recent day in their place.
const (
	folder  = "/home/dev/tally"
	day     = "2026-03-02"
	session = "7a11e000-0000-4000-8000-0000000000d1"
)

type object = map[string]any

// recorder writes down what happens as Claude Code does: a line per record,
// an assistant's message split into a line per block.
type recorder struct {
	lines   bytes.Buffer
	at      time.Time
	records int
	calls   int
	message int
	parent  string
	context int // tokens of the request
	failed  error
}

func newRecorder() *recorder {
	start, err := time.Parse(time.DateOnly+" 15:04", day+" 13:05")
	return &recorder{at: start, context: 14_000, failed: err}
}

// line writes a record as it stands.
func (r *recorder) line(record object) {
	encoder := json.NewEncoder(&r.lines)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		r.failed = err
	}
}

// record writes a record of the conversation.
func (r *recorder) record(kind string, more object) {
	r.records++
	r.at = r.at.Add(7 * time.Second)
	id := fmt.Sprintf("7a11e000-0000-4000-8000-%012x", 0x1000+r.records)
	record := object{
		"type": kind, "uuid": id, "parentUuid": nil, "sessionId": session, "timestamp": r.at.Format("2006-01-02T15:04:05.000Z"),
		"cwd": folder, "gitBranch": "currencies", "version": "2.1.329", "userType": "external", "entrypoint": "cli", "isSidechain": false,
	}
	if r.parent != "" {
		record["parentUuid"] = r.parent
	}
	for key, value := range more {
		record[key] = value
	}
	r.line(record)
	r.parent = id
}

// starts writes what stands before the first prompt.
func (r *recorder) starts() {
	r.line(object{"type": "mode", "mode": "normal", "sessionId": session})
	r.line(object{"type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": session})
	r.record("attachment", object{"attachment": object{"type": "environment", "content": "Platform: linux"}})
	r.record("attachment", object{"attachment": object{"type": "skill_listing", "content": "", "skillCount": 0}})
}

// prompt is what the person types. later is how long after the last record.
func (r *recorder) prompt(later time.Duration, text string) {
	r.at = r.at.Add(later)
	r.line(object{"type": "file-history-snapshot", "messageId": fmt.Sprintf("m-%d", r.records), "snapshot": object{"trackedFileBackups": object{}}, "isSnapshotUpdate": false})
	r.record("user", object{"message": object{"role": "user", "content": text}, "promptSource": "typed", "origin": object{"kind": "human"}, "turnOrigin": "human"})
	r.message++
}

// titled is the title the tool made up.
func (r *recorder) titled(title string) {
	r.line(object{"type": "ai-title", "aiTitle": title, "sessionId": session})
}

func (r *recorder) block(block object, stop any) {
	r.context += 900
	r.record("assistant", object{"requestId": fmt.Sprintf("req_%03d", r.message), "message": object{
		"id": fmt.Sprintf("msg_%03d", r.message), "type": "message", "role": "assistant", "model": "claude-opus-5",
		"content": []object{block}, "stop_reason": stop,
		"usage": object{"input_tokens": 6, "cache_read_input_tokens": r.context, "cache_creation_input_tokens": 900, "output_tokens": 210},
	}})
}

func (r *recorder) thinks(text string) {
	r.block(object{"type": "thinking", "thinking": text, "signature": "made-up"}, nil)
}

// says is prose before more calls, answers the prose a turn ends with.
func (r *recorder) says(lines ...string) {
	r.block(object{"type": "text", "text": strings.Join(lines, "\n")}, nil)
}

func (r *recorder) answers(lines ...string) {
	r.block(object{"type": "text", "text": strings.Join(lines, "\n")}, "end_turn")
	r.record("system", object{"subtype": "turn_duration", "durationMs": 93_000, "isMeta": false})
}

// call is a tool call with its result as the model sees it, and as the tool
// keeps it.
func (r *recorder) call(name string, input object, seen string, kept any, failed bool) {
	r.calls++
	id := fmt.Sprintf("toolu_%03d", r.calls)
	r.block(object{"type": "tool_use", "id": id, "name": name, "input": input}, "tool_use")
	result := object{"type": "tool_result", "tool_use_id": id, "content": seen}
	if failed {
		result["is_error"] = true
	}
	r.record("user", object{"message": object{"role": "user", "content": []object{result}}, "toolUseResult": kept})
	r.message++
}

func in(path string) string { return folder + "/" + path }

func (r *recorder) reads(path, content string) {
	var numbered strings.Builder
	for i, text := range strings.Split(content, "\n") {
		fmt.Fprintf(&numbered, "%6d\t%s\n", i+1, text)
	}
	r.call("Read", object{"file_path": in(path)}, numbered.String(), object{"type": "text", "file": object{"filePath": in(path), "content": content}}, false)
}

func (r *recorder) greps(pattern, found string) {
	r.call("Grep", object{"pattern": pattern, "output_mode": "content"}, found, object{"mode": "content", "content": found}, false)
}

func (r *recorder) writes(path string, lines ...string) {
	content := strings.Join(lines, "\n") + "\n"
	r.call("Write", object{"file_path": in(path), "content": content}, "File created successfully at: "+in(path), object{"type": "create", "filePath": in(path), "content": content}, false)
}

func (r *recorder) edits(path, before, after string) {
	r.call("Edit", object{"file_path": in(path), "old_string": before, "new_string": after}, "The file "+in(path)+" has been updated.", object{"filePath": in(path), "oldString": before, "newString": after, "replaceAll": false}, false)
}

func (r *recorder) runs(command, what, output string) {
	r.call("Bash", object{"command": command, "description": what}, output, object{"stdout": output, "stderr": "", "interrupted": false, "isImage": false}, false)
}

func (r *recorder) fails(command, what, output string) {
	r.call("Bash", object{"command": command, "description": what}, "Exit code 1\n"+output, "Error: Exit code 1\n"+output, true)
}

// commits everything.
func (r *recorder) commits(hash, subject string) {
	r.runs("git add -A && git status --short | wc -l", "Stage everything", "6")
	r.runs(fmt.Sprintf("git commit -m %q", subject), "Commit", fmt.Sprintf("[currencies %s] %s\n 6 files changed, 80 insertions(+), 12 deletions(-)", hash, subject))
}

// refused is a command that the person does not allow.
func (r *recorder) refused(command, what string) {
	r.calls++
	id := fmt.Sprintf("toolu_%03d", r.calls)
	r.block(object{"type": "tool_use", "id": id, "name": "Bash", "input": object{"command": command, "description": what}}, "tool_use")
	r.record("user", object{"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected", "message": object{"role": "user", "content": []object{{
		"type": "tool_result", "tool_use_id": id, "is_error": true,
		"content": "The user doesn't want to proceed with this tool use. The tool use was rejected.",
	}}}})
	r.record("user", object{"message": object{"role": "user", "content": []object{{"type": "text", "text": "[Request interrupted by user for tool use]"}}}})
	r.message++
}

// todos is the whole list: "x done", "> at work", "- to do".
func (r *recorder) todos(list ...string) {
	states := map[byte]string{'x': "completed", '>': "in_progress", '-': "pending"}
	var todos []object
	for _, entry := range list {
		todos = append(todos, object{"content": entry[2:], "status": states[entry[0]], "activeForm": entry[2:]})
	}
	r.call("TodoWrite", object{"todos": todos}, "Todos have been modified successfully.", object{"oldTodos": []object{}, "newTodos": todos}, false)
}

// asks lets the person choose. The first of the options is chosen.
func (r *recorder) asks(header, question, note string, options ...[2]string) {
	var list []object
	for _, option := range options {
		list = append(list, object{"label": option[0], "description": option[1]})
	}
	questions := []object{{"question": question, "header": header, "multiSelect": false, "options": list}}
	r.call("AskUserQuestion", object{"questions": questions},
		fmt.Sprintf("Your questions have been answered: %q=%q.", question, options[0][0]),
		object{"questions": questions, "answers": object{question: options[0][0]}, "annotations": object{question: object{"notes": note}}}, false)
}

// compacts the context automatically, as it happens when the window is full.
func (r *recorder) compacts(summary string) {
	before := r.context
	r.context = 9_000
	r.record("system", object{"subtype": "compact_boundary", "content": "Conversation compacted", "logicalParentUuid": r.parent, "parentUuid": nil, "compactMetadata": object{"trigger": "auto", "preTokens": before, "postTokens": r.context}})
	r.record("user", object{"isCompactSummary": true, "isVisibleInTranscriptOnly": true, "message": object{"role": "user", "content": summary}})
}

func (r *recorder) writeTo(w io.Writer) error {
	if r.failed != nil {
		return r.failed
	}
	_, err := w.Write(r.lines.Bytes())
	return err
}
