package daemon_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
)

// A task is taken through ten sessions of three tools, each begun with the
// handoff of the one before, and through eleven compactions. At the end no
// decision, failure or unfinished step of any leg is missing.
func TestAMarathonLosesNothing(t *testing.T) {
	w := newWorld(t)
	w.install()
	record, _, err := wiring.ReadRecord(w.home)
	if err != nil {
		t.Fatal(err)
	}
	record.Installed = time.Now().Add(-10 * time.Hour).UTC()
	if err := record.Write(w.home); err != nil {
		t.Fatal(err)
	}
	w.start()
	const legs = 10
	compactions := 0
	for i := range legs {
		compactions += w.runLeg(newLeg(w, i))
	}
	if compactions < 10 {
		t.Errorf("only %d compactions", compactions)
	}
	pipeline, err := daemon.OpenReadOnly(w.home, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pipeline.Store.Close() }()
	document, err := pipeline.Handoff(t.Context(), view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: w.project}})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := json.Marshal(document.Facts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range legs {
		for what, words := range words(i) {
			if !strings.Contains(string(facts), words) {
				t.Errorf("the %s of leg %d is missing: %q", what, i, words)
			}
			if !strings.Contains(document.Text, words) && !strings.Contains(document.Text, "more: carryover show") {
				t.Errorf("the handoff neither says nor counts the %s of leg %d", what, i)
			}
		}
	}
	if t.Failed() {
		t.Logf("the last handoff:\n%s", document.Text)
	}
}

// words are what a leg leaves behind.
func words(i int) map[string]string {
	return map[string]string{
		"decision": fmt.Sprintf("use store-%d", i), "failure": fmt.Sprintf("make leg%d", i), "unfinished step": fmt.Sprintf("polish part %d of it", i),
	}
}

// leg is one session of the marathon.
type leg struct {
	number     int
	tool, id   string
	transcript string
	dir        string
	at         time.Time
	records    []string
	written    int // how many of them are in the transcript
}

func newLeg(w *world, i int) *leg {
	l := &leg{
		number: i, tool: []string{"claude-code", "codex", "gemini-cli"}[i%3], dir: w.project,
		id: fmt.Sprintf("%08d-0000-7000-8000-00000000000a", i+1), at: time.Now().Add(time.Duration(i-20) * 10 * time.Minute).UTC(),
	}
	switch l.tool {
	case "claude-code":
		l.transcript = w.transcript(l.id)
	case "codex":
		l.transcript = filepath.Join(w.user, ".codex", "sessions", "2026", "03", "02", "rollout-2026-03-02T08-00-00-"+l.id+".jsonl")
		l.add(`{"timestamp":%q,"type":"session_meta","payload":{"id":%q,"cwd":%q,"originator":"codex_cli","cli_version":"0.144.0"}}`, l.now(), l.id, l.dir)
	case "gemini-cli":
		l.transcript = filepath.Join(w.user, ".gemini", "tmp", "proj", "chats", "session-2026-03-02T08-00-"+l.id[:8]+".jsonl")
		l.add(`{"sessionId":%q,"projectHash":"ab","startTime":%q,"lastUpdated":%q,"kind":"main"}`, l.id, l.now(), l.now())
		l.add(`{"$set":{"messages":[{"id":"s%d","timestamp":%q,"type":"user","content":[{"text":%q}]}]}}`, i, l.now(),
			"<session_context>\n- **Workspace Directories:**\n  - "+l.dir+"\n- **Directory Structure:**\n</session_context>")
	}
	return l
}

// runLeg takes a leg from its start to its end and returns how often its context
// was compacted.
func (w *world) runLeg(l *leg) (compactions int) {
	w.t.Helper()
	given := w.begins(l, "startup")
	if l.number > 0 && !strings.Contains(given, words(l.number - 1)["decision"]) {
		w.t.Errorf("leg %d (%s) was not given the leg before:\n%s", l.number, l.tool, given)
	}
	l.work()
	w.appends(l)
	for range map[string]int{"claude-code": 2, "codex": 1}[l.tool] {
		compactions++
		l.compact()
		w.appends(l)
		if given := w.begins(l, "compact"); !strings.Contains(given, words(l.number)["decision"]) {
			w.t.Errorf("after a compaction leg %d (%s) was given\n%s\nbecause %+v", l.number, l.tool, given, w.why(l.id))
		}
	}
	w.hook(l.tool, "SessionEnd", map[string]string{"session_id": l.id, "cwd": l.dir, "transcript_path": l.transcript, "reason": "exit"})
	return compactions
}

// appends writes the new records of a leg as its tool does: what stands in the
// transcript already is never truncated. A reader that comes in between would
// read the session a second time.
func (w *world) appends(l *leg) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(l.transcript), 0o700); err != nil {
		w.t.Fatal(err)
	}
	file, err := os.OpenFile(l.transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = file.WriteString(strings.Join(l.records[l.written:], ""))
	if err := errors.Join(err, file.Close()); err != nil {
		w.t.Fatal(err)
	}
	l.written = len(l.records)
	text := strings.Join(l.records, "")
	// A start waits for what was just written for so many milliseconds only, which a
	// loaded machine exceeds: then "not compacted since" would be right.
	w.eventually("the transcript is read", func() bool {
		p, err := daemon.OpenReadOnly(w.home, func(err error) { w.t.Error(err) })
		if err != nil {
			return false
		}
		defer func() { _ = p.Store.Close() }()
		source, _, err := p.Store.Source(w.t.Context(), l.tool, l.transcript)
		return err == nil && source.Position.Offset == int64(len(text))
	})
}

// begins is the hook at which a leg is given something.
func (w *world) begins(l *leg, source string) string {
	w.t.Helper()
	event := "SessionStart"
	if l.tool == "gemini-cli" {
		event = "BeforeAgent"
	}
	return w.hook(l.tool, event, map[string]string{
		"session_id": l.id, "cwd": l.dir, "source": source, "transcript_path": l.transcript, "hook_event_name": event, "prompt": "go on",
	})
}

func (l *leg) now() string {
	l.at = l.at.Add(time.Second)
	return l.at.Format("2006-01-02T15:04:05.000Z")
}

func (l *leg) add(format string, args ...any) {
	l.records = append(l.records, fmt.Sprintf(format, args...)+"\n")
}

// work is what each leg does: it decides something, something fails, and a step
// of its list is left.
func (l *leg) work() {
	request := fmt.Sprintf("Build part %d of the importer", l.number)
	decision := fmt.Sprintf("DECISION: use store-%d over file-%d because it can be searched", l.number, l.number)
	command := fmt.Sprintf("make leg%d", l.number)
	failed := fmt.Sprintf("leg%d.c:3: error: no such thing", l.number)
	step := words(l.number)["unfinished step"]
	switch l.tool {
	case "claude-code":
		l.claude("user", fmt.Sprintf(`{"role":"user","content":%q}`, request))
		l.claude("assistant", fmt.Sprintf(`{"id":"m1","role":"assistant","content":[{"type":"text","text":%q}]}`, decision))
		l.claude("assistant", fmt.Sprintf(`{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"TodoWrite","input":{"todos":[{"content":%q,"status":"in_progress","activeForm":"x"}]}}]}`, l.number, step))
		l.claude("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}`, l.number))
		l.claude("assistant", fmt.Sprintf(`{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"b%d","name":"Bash","input":{"command":%q}}]}`, l.number, command))
		l.claude("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b%d","is_error":true,"content":%q}]}`, l.number, "Exit code 2\n"+failed))
	case "codex":
		l.codex("event_msg", fmt.Sprintf(`{"type":"user_message","message":%q}`, request))
		l.codex("event_msg", fmt.Sprintf(`{"type":"agent_message","message":%q}`, decision))
		l.codex("response_item", fmt.Sprintf(`{"type":"function_call","call_id":"p%d","name":"update_plan","arguments":%q}`, l.number, fmt.Sprintf(`{"plan":[{"step":%q,"status":"pending"}]}`, step)))
		l.codex("response_item", fmt.Sprintf(`{"type":"function_call","call_id":"c%d","name":"exec_command","arguments":%q}`, l.number, fmt.Sprintf(`{"cmd":%q}`, command)))
		l.codex("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":%q}`, l.number, "Chunk ID: 1\nWall time: 1.0 seconds\nProcess exited with code 2\nOutput:\n"+failed+"\n"))
	case "gemini-cli":
		l.add(`{"id":"u%d","timestamp":%q,"type":"user","content":[{"text":%q}]}`, l.number, l.now(), request)
		l.add(`{"id":"g%d","timestamp":%q,"type":"gemini","content":%q,"model":"gemini-2.5-pro"}`, l.number, l.now(), decision)
		l.gemini("write_todos", fmt.Sprintf(`{"todos":[{"description":%q,"status":"pending"}]}`, step), "Successfully updated the todo list.")
		l.gemini("run_shell_command", fmt.Sprintf(`{"command":%q}`, command), "Output: "+failed+"\nExit Code: 2")
	}
}

func (l *leg) claude(kind, message string) {
	l.add(`{"type":%q,"uuid":"%s-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"gitBranch":"main","version":"2.1.329","entrypoint":"cli","message":%s}`,
		kind, l.id[:8], len(l.records), l.id, l.now(), l.dir, message)
}

func (l *leg) codex(kind, payload string) {
	l.add(`{"timestamp":%q,"type":%q,"payload":%s}`, l.now(), kind, payload)
}

func (l *leg) gemini(name, args, output string) {
	at := l.now()
	l.add(`{"id":"%s%d","timestamp":%q,"type":"gemini","content":"","model":"gemini-2.5-pro","toolCalls":[{"id":"%s_%d","name":%q,"args":%s,"result":[{"functionResponse":{"id":"%s_%d","name":%q,"response":{"output":%q}}}],"status":"success","timestamp":%q}]}`,
		name[:1], l.number, at, name, l.number, name, args, name, l.number, name, output, at)
}

// compact is a compaction by the tool itself.
func (l *leg) compact() {
	if l.tool == "codex" {
		l.codex("compacted", `{"message":"The importer grows.","replacement_history":[]}`)
		return
	}
	l.add(`{"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155000},"uuid":"%s-%d","sessionId":%q,"timestamp":%q,"cwd":%q,"version":"2.1.329"}`,
		l.id[:8], len(l.records), l.id, l.now(), l.dir)
}
