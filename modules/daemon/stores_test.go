package daemon_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// agentDatabase is a database that an agent has open and writes.
type agentDatabase struct {
	testing.TB
	*sql.DB
}

func (w *world) database(path, schema string) agentDatabase {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		w.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	w.t.Cleanup(func() { _ = db.Close() })
	agent := agentDatabase{w.t, db}
	agent.do("PRAGMA journal_mode=wal")
	agent.do(schema)
	return agent
}

func (a agentDatabase) do(statement string, values ...any) {
	a.Helper()
	if _, err := a.Exec(statement, values...); err != nil {
		a.Fatal(err)
	}
}

// stored is what the ledger holds of all sessions: tool, session, then prompts,
// commands and what ended how.
func (w *world) stored() string {
	w.t.Helper()
	log, err := sqlite.OpenReadOnly(w.home.Ledger())
	if err != nil {
		return err.Error()
	}
	defer func() { _ = log.Close() }()
	sessions, err := log.Sessions(w.t.Context(), ledger.SessionFilter{Subagents: true})
	if err != nil {
		w.t.Fatal(err)
	}
	var lines []string
	for _, session := range sessions {
		words := []string{session.Tool + " " + session.ID}
		for event, err := range log.Events(w.t.Context(), session.SessionKey) {
			switch {
			case err != nil:
				w.t.Fatal(err)
			case event.Withdrawn:
			case event.Kind == transcript.Call:
				words = append(words, event.Call.Command)
			case event.Kind == transcript.Result && event.Result.Failed:
				words = append(words, "failed")
			case event.Kind == transcript.Prompt, event.Kind == transcript.Reply:
				words = append(words, event.Text)
			}
		}
		lines = append(lines, strings.Join(words, " | "))
	}
	return strings.Join(lines, "\n")
}

func (w *world) holds(want string) {
	w.t.Helper()
	got := ""
	defer func() {
		if w.t.Failed() {
			w.t.Logf("the ledger holds:\n%s\nwant:\n%s", got, want)
		}
	}()
	w.eventually("the ledger holds it", func() bool { got = w.stored(); return got == want })
}

const cursorSchema = `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
	CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`

// A session of Cursor's editor is known from its transcript first, and by the
// database when that is written: one session, each thing once. The hook of
// Claude Code's settings that Cursor runs is Cursor's.
func TestCursorsTwoStoresAreOneSession(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	const id = "cc000000-0000-4000-8000-000000000001"
	payload := func(event string) []byte {
		return fmt.Appendf(nil, `{"conversation_id":%q,"session_id":%q,"hook_event_name":%q,"cursor_version":"3.23.12",
			"workspace_roots":[%q],"transcript_path":null}`, id, id, event, w.project)
	}
	w.post("claude-code", "SessionStart", payload("sessionStart"))
	file := filepath.Join(w.user, ".cursor", "projects", "p", "agent-transcripts", id, id+".jsonl")
	w.write(file, `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>Run the tests.</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"command":"go test"}}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"They fail."}]}}
`)
	w.post("cursor", "stop", payload("stop")) // it names no transcript
	w.holds("cursor " + id + " | Run the tests. | go test | They fail.")

	db := w.database(filepath.Join(w.user, ".config", "Cursor", "User", "globalStorage", "state.vscdb"), cursorSchema)
	set := func(key, value string) { db.do("INSERT INTO cursorDiskKV VALUES (?, ?)", key, []byte(value)) }
	set("bubbleId:"+id+":b1", `{"type":1,"bubbleId":"b1","text":"Run the tests.","createdAt":"2026-03-10T09:00:00Z"}`)
	set("bubbleId:"+id+":b2", `{"type":2,"bubbleId":"b2","text":"","createdAt":"2026-03-10T09:00:05Z","toolFormerData":{"name":"run_terminal_cmd",
		"rawArgs":"{\"command\":\"go test\"}","status":"completed","result":"{\"output\":\"FAIL\",\"exitCodeV2\":1}"}}`)
	set("bubbleId:"+id+":orphan", `{"type":2,"bubbleId":"orphan","text":"Nobody names me.","createdAt":"2026-03-10T09:00:06Z"}`)
	set("composerData:"+id, `{"composerId":"`+id+`","fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]}`)
	w.holds("cursor " + id + " | Run the tests. | go test | failed")

	// A row is rewritten; the transcript goes on and is not listened to.
	w.append(file, `{"role":"assistant","message":{"content":[{"type":"text","text":"Twice told."}]}}`)
	set("bubbleId:"+id+":b3", `{"type":2,"bubbleId":"b3","text":"They f","createdAt":"2026-03-10T09:00:09Z"}`)
	set("bubbleId:"+id+":b3", `{"type":2,"bubbleId":"b3","text":"They fail.","createdAt":"2026-03-10T09:00:09Z"}`)
	set("composerData:"+id, `{"composerId":"`+id+`","status":"completed","lastUpdatedAt":1773133210000,
		"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2}]}`)
	w.holds("cursor " + id + " | Run the tests. | go test | failed | They fail.")
	db.do("DELETE FROM cursorDiskKV WHERE key LIKE '%orphan'")
	db.do("VACUUM") // rows are renumbered
	set("bubbleId:"+id+":b4", `{"type":1,"bubbleId":"b4","text":"Mend them.","createdAt":"2026-03-10T09:01:00Z"}`)
	set("composerData:"+id, `{"composerId":"`+id+`","fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},
		{"bubbleId":"b3","type":2},{"bubbleId":"b4","type":1}]}`)
	w.holds("cursor " + id + " | Run the tests. | go test | failed | They fail. | Mend them.")
}

// Devin runs the hooks of Claude Code's settings beside its own, and names
// neither directory nor transcript: the database tells the session, once. What
// the user took back is flagged, and a compaction is known from its hook alone.
func TestDevinsDatabaseAndHooksAreOneSession(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	db := w.database(filepath.Join(w.user, ".local", "share", "devin", "cli", "sessions.db"), `
		CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT, working_directory TEXT, model TEXT, created_at INTEGER, last_activity_at INTEGER);
		CREATE TABLE message_nodes (row_id INTEGER PRIMARY KEY, session_id TEXT, node_id INTEGER, parent_node_id INTEGER,
			chat_message TEXT, created_at INTEGER, metadata_json TEXT)`)
	now := time.Now().Unix()
	node := func(id, parent int, message string) {
		db.do("INSERT INTO message_nodes (session_id, node_id, parent_node_id, chat_message, created_at) VALUES ('calm-heron', ?, NULLIF(?, 0), ?, ?)",
			id, parent, message, now+int64(id))
		db.do("UPDATE sessions SET last_activity_at = ?", now+int64(id))
	}
	db.do("INSERT INTO sessions VALUES ('calm-heron', 'Tests', ?, 'swe-2', ?, ?)", w.project, now, now)
	node(1, 0, `{"role":"user","content":"Run the tests."}`)
	node(2, 1, `{"role":"assistant","content":"","tool_calls":[{"id":"t1","function":{"name":"exec","arguments":"{\"command\":\"go test\"}"}}]}`)
	node(3, 2, `{"role":"tool","tool_call_id":"t1","content":"FAIL\nexit code 1"}`)
	node(4, 3, `{"role":"user","content":"Use tabs."}`)
	project := "DEVIN_PROJECT_DIR=" + w.project
	payload := func(event, more string) []byte {
		return fmt.Appendf(nil, `{"hook_event_name":%q,"session_id":"calm-heron"%s}`, event, more)
	}
	w.post("claude-code", "SessionStart", payload("SessionStart", `,"source":"startup"`), project)
	w.post("claude-code", "Stop", payload("Stop", ""), project)
	w.post("devin", "Stop", payload("Stop", ""), project)
	w.holds("devin calm-heron | Run the tests. | go test | failed | Use tabs.")

	node(5, 3, `{"role":"user","content":"Use spaces."}`) // the user went back
	w.post("devin", "Stop", payload("Stop", ""), project)
	w.holds("devin calm-heron | Run the tests. | go test | failed | Use spaces.")

	w.post("devin", "PostCompaction", payload("PostCompaction", `,"summary":"The tests fail."`), project)
	answer := w.post("devin", "UserPromptSubmit", payload("UserPromptSubmit", `,"prompt":"Go on."`), project)
	if given := member(t, answer, "hookSpecificOutput", "additionalContext"); !strings.Contains(given, "go test") {
		t.Errorf("after a compaction is given: %s", answer)
	}
	if answer := w.post("devin", "UserPromptSubmit", payload("UserPromptSubmit", `,"prompt":"And now?"`), project); answer != "" {
		t.Errorf("it is given again: %s", answer)
	}
}

// Cascade keeps no transcript that can be read: what its hooks receive is the
// session, also what they received while there was no daemon.
func TestCascadesPayloadsAreItsSession(t *testing.T) {
	w := newWorld(t)
	w.install()
	tell := func(event, info string, second int) {
		payload := fmt.Sprintf(`{"agent_action_name":%q,"trajectory_id":"cascade-1","execution_id":"turn-1",
			"timestamp":"2026-03-10T09:00:%02dZ","tool_info":%s}`, event, second, info)
		w.post("windsurf", event, []byte(payload), "PWD="+w.project)
	}
	tell("pre_user_prompt", `{"user_prompt":"Sort the notes."}`, 0)
	spooled, err := filepath.Glob(filepath.Join(w.home.Spool(), "*.json"))
	if err != nil || len(spooled) != 1 {
		t.Fatalf("spooled: %v, %v", spooled, err)
	}
	if info, err := os.Stat(spooled[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a payload lies open: %v, %v", info.Mode(), err)
	}
	w.start()
	w.holds("windsurf cascade-1 | Sort the notes.")
	w.eventually("the spool is empty", func() bool {
		left, _ := filepath.Glob(filepath.Join(w.home.Spool(), "*"))
		return len(left) == 0
	})
	tell("post_run_command", `{"command_line":"go test ./...","cwd":"`+w.project+`"}`, 10)
	tell("post_run_command", `{"command_line":"go test ./...","cwd":"`+w.project+`"}`, 10) // sent twice
	tell("post_cascade_response", `{"response":"### Planner Response\n\nThey are sorted."}`, 20)
	w.holds("windsurf cascade-1 | Sort the notes. | go test ./... | They are sorted.")
}

// Copilot's command line runs the hooks of Claude Code's settings beside its
// own: whichever is run, its transcript is read as its own, once.
func TestCopilotsHooksAndTranscriptAreOneSession(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	const id = "c0a10000-0000-4000-8000-000000000007"
	file := filepath.Join(w.user, ".copilot", "session-state", id, "events.jsonl")
	w.write(file, fmt.Sprintf(`{"type":"session.start","id":"e1","timestamp":%q,"data":{"sessionId":%q,"context":{"cwd":%q}}}
{"type":"user.message","id":"e2","timestamp":%q,"data":{"content":"Run the tests."}}
`, stamp(-20), id, w.project, stamp(-19)))
	payload := fmt.Appendf(nil, `{"sessionId":%q,"session_id":%q,"cwd":%q,"transcript_path":%q,"transcriptPath":%q,"hook_event_name":"Stop"}`,
		id, id, w.project, file, file)
	w.post("claude-code", "Stop", payload, "COPILOT_CLI=1")
	w.post("copilot-cli", "agentStop", payload, "COPILOT_CLI=1")
	w.holds("copilot-cli " + id + " | Run the tests.")
}
