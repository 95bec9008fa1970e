package daemon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// append adds records to a transcript.
func (w *world) append(path string, records ...string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.WriteString(strings.Join(records, "\n") + "\n"); err != nil {
		w.t.Fatal(err)
	}
}

// stamp is a time of a record, some seconds from now.
func stamp(seconds int) string {
	return time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z")
}

// member is the text at a path of a JSON answer.
func member(t *testing.T, answer string, path ...string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("not one JSON object: %v\n%s", err, answer)
	}
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("no %s in %s", name, answer)
		}
		value = object[name]
	}
	text, ok := value.(string)
	if !ok {
		t.Fatalf("no text in %s", answer)
	}
	return text
}

// Gemini CLI is given the handoff at its first prompt, once; and after a compaction
// of its context its own work, once more.
func TestGeminiIsAnsweredAtPrompts(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	chat := filepath.Join(w.user, ".gemini", "tmp", "proj", "chats", "session-2026-11-20T22-01-22222222.jsonl")
	prompts := func() string {
		return w.hook("gemini-cli", "BeforeAgent", map[string]string{
			"session_id": second, "transcript_path": chat, "cwd": w.project, "hook_event_name": "BeforeAgent", "prompt": "go on",
		})
	}
	context := fmt.Sprintf(`{"id":"c","timestamp":%q,"type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - %s\n</session_context>"}]}`, stamp(-5), w.project)
	w.append(chat, fmt.Sprintf(`{"sessionId":%q,"projectHash":"p","startTime":%q,"kind":"main"}`, second, stamp(-5)), `{"$set":{"messages":[`+context+`]}}`)

	text := member(t, prompts(), "hookSpecificOutput", "additionalContext")
	for _, want := range []string{"# [CARRYOVER] Last updated", "Parse the dates of the log file", "go test ./..."} {
		if !strings.Contains(text, want) {
			t.Errorf("the handoff lacks %q:\n%s", want, text)
		}
	}
	if again := prompts(); again != "" {
		t.Errorf("it was given twice:\n%s", again)
	}

	w.append(chat,
		fmt.Sprintf(`{"id":"u1","timestamp":%q,"type":"user","content":[{"text":"Mend the parser of the dates"}]}`, stamp(0)),
		fmt.Sprintf(`{"id":"g1","timestamp":%q,"type":"gemini","content":"Looking."}`, stamp(0)))
	if between := prompts(); between != "" {
		t.Errorf("something was given between two prompts:\n%s", between)
	}
	w.append(chat, fmt.Sprintf(`{"$set":{"messages":[%s,{"id":"s1","timestamp":%q,"type":"user","content":[{"text":"<state_snapshot>all of it</state_snapshot>"}]}]}}`, context, stamp(1)))
	seam := member(t, prompts(), "hookSpecificOutput", "additionalContext")
	if !strings.Contains(seam, "Mend the parser of the dates") || strings.Contains(seam, "RESUME PROTOCOL: ask") {
		t.Errorf("after the compaction it was given\n%s", seam)
	}
}

// A session of Gemini CLI that is resumed has its own history.
func TestAResumedGeminiSessionIsGivenNothing(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	chat := filepath.Join(w.user, ".gemini", "tmp", "proj", "chats", "session-2026-11-20T22-01-22222222.jsonl")
	w.append(chat,
		fmt.Sprintf(`{"sessionId":%q,"projectHash":"p","startTime":%q,"kind":"main","directories":[%q]}`, second, stamp(-50), w.project),
		fmt.Sprintf(`{"id":"u1","timestamp":%q,"type":"user","content":[{"text":"Mend the parser of the dates"}]}`, stamp(-40)))
	if text := w.hook("gemini-cli", "BeforeAgent", map[string]string{
		"session_id": second, "transcript_path": chat, "cwd": w.project, "hook_event_name": "BeforeAgent", "prompt": "go on",
	}); text != "" {
		t.Errorf("it was given\n%s", text)
	}
}

// Copilot CLI is given the handoff when it starts, as a member it reads, and
// its own work at the first prompt after a compaction. Most of its hooks do
// not name the transcript.
func TestCopilotIsAnsweredAtItsStartAndAfterACut(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	hook := func(event, more string) string {
		var payload map[string]string
		if err := json.Unmarshal(fmt.Appendf(nil, `{"sessionId":%q,"cwd":%q%s}`, second, w.project, more), &payload); err != nil {
			t.Fatal(err)
		}
		return w.hook("copilot-cli", event, payload)
	}
	text := member(t, hook("sessionStart", `,"source":"new"`), "additionalContext")
	if !strings.Contains(text, "Parse the dates of the log file") {
		t.Errorf("the handoff is\n%s", text)
	}
	if text := hook("userPromptSubmitted", `,"prompt":"go on"`); text != "" {
		t.Errorf("the first prompt was given\n%s", text)
	}
	events := filepath.Join(w.user, ".copilot", "session-state", second, "events.jsonl")
	w.append(events,
		fmt.Sprintf(`{"type":"session.start","data":{"sessionId":%q,"copilotVersion":"1.0.102","context":{"cwd":%q,"branch":"main"}},"id":"e1","timestamp":%q,"parentId":null}`, second, w.project, stamp(0)),
		fmt.Sprintf(`{"type":"user.message","data":{"content":"Mend the parser of the dates","delivery":"idle"},"id":"e2","timestamp":%q,"parentId":"e1"}`, stamp(0)),
		fmt.Sprintf(`{"type":"session.compaction_complete","data":{"success":true,"summaryContent":"s","trigger":"auto"},"id":"e3","timestamp":%q,"parentId":"e2"}`, stamp(1)))
	if text := hook("userPromptSubmitted", `,"prompt":"look","agentId":"a1"`); text != "" {
		t.Errorf("a subagent was given\n%s", text)
	}
	seam := member(t, hook("userPromptSubmitted", `,"prompt":"go on"`), "additionalContext")
	if !strings.Contains(seam, "Mend the parser of the dates") {
		t.Errorf("after the compaction it was given\n%s", seam)
	}
}
