package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// wireOpenCode notes the file that OpenCode reads at every message as wired.
func (w *world) wireOpenCode() {
	w.t.Helper()
	record, _, err := wiring.ReadRecord(w.home)
	if err != nil {
		w.t.Fatal(err)
	}
	table, _ := toolspecs.Load(nil)
	spec, err := table.Lookup("opencode")
	if err != nil {
		w.t.Fatal(err)
	}
	record.Files = append(record.Files, wiring.FileRecord{Tool: "opencode", Path: "opencode.json", Version: spec.Verified[0].Version})
	if err := record.Write(w.home); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) contextFile() string {
	text, _ := os.ReadFile(filepath.Join(w.project, ".carryover", "context.md"))
	return string(text)
}

// contextSays waits for words in the file.
func (w *world) contextSays(words ...string) {
	w.t.Helper()
	for _, word := range words {
		w.eventually("the file says "+word, func() bool { return strings.Contains(w.contextFile(), word) })
	}
}

// OpenCode reads a file of its own at every message: the same body, under a
// header that asks for nothing.
func TestAFileThatIsReadAtEveryMessage(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.wireOpenCode()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.hook("claude-code", "PreCompact", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	text := w.contextFile()
	if !strings.Contains(text, "Parse the dates") || !strings.Contains(text, "RESUME PROTOCOL: silent") {
		t.Errorf("the context file:\n%s", text)
	}
}

// openCode is its database with one session at work in the project.
type openCode struct {
	agentDatabase
	rows int
}

func (w *world) openCode() *openCode {
	db := &openCode{agentDatabase: w.database(filepath.Join(w.user, ".local", "share", "opencode", "opencode.db"), `
		CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, model TEXT, permission TEXT, time_created INTEGER, time_updated INTEGER);
		CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
		CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
		CREATE TABLE project (id TEXT PRIMARY KEY)`)}
	now := time.Now().UnixMilli()
	db.do("INSERT INTO session VALUES ('ses_1', NULL, ?, 'Dates', '1.18.33', '{}', '[]', ?, ?)", w.project, now, now)
	return db
}

// message adds a message with one part.
func (db *openCode) message(message, part string) {
	db.Helper()
	db.rows++
	now := time.Now().UnixMilli()
	id := string(rune('a' + db.rows))
	db.do("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)", "msg_"+id, now, now, message)
	db.do("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)", "prt_"+id, "msg_"+id, now, now, part)
	db.do("UPDATE session SET time_updated = ?", now)
}

// The file is read again a moment after the summary of a compaction is there. So it
// says what a session needs then as soon as the summary is asked for, and no
// longer when the compaction has come to nothing.
func TestTheFileIsReadyBeforeTheCut(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.wireOpenCode()
	w.start()
	db := w.openCode()
	db.message(`{"role":"user"}`, `{"type":"text","text":"Parse the dates of the log file"}`)
	db.message(`{"role":"user"}`, `{"type":"compaction","auto":true}`)
	w.contextSays("RESUME PROTOCOL: seam", "compacted automatically", "Parse the dates")

	db.message(`{"role":"assistant","finish":"stop","time":{"completed":9000000000000},"tokens":{"input":9}}`, `{"type":"text","text":"No room left."}`)
	w.contextSays("RESUME PROTOCOL: silent")
}

// A database is read table by table: how full the context is may be seen before
// what was asked. The file says both as soon as they are there.
func TestThePromptIsReadAfterTheUsage(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.wireOpenCode()
	w.write(w.home.Windows(), `{"large-1": 1000}`)
	w.works(first, w.project, "Count the words of the log file")
	w.start()
	w.contextSays("Count the words") // what was there before the daemon is read
	db := w.openCode()
	db.message(`{"role":"assistant","modelID":"large-1","finish":"tool-calls","time":{"completed":1780000000000},"tokens":{"input":750}}`, `{"type":"text","text":"One more file."}`)
	w.eventually("the usage is read", func() bool {
		sessions, err := client.New(w.home).ListSessions(t.Context(), view.SessionListRequest{Page: view.Page{Limit: 1}})
		return err == nil && sessions.Items[0].Tool == "opencode" && sessions.Items[0].Events > 2
	})
	db.message(`{"role":"user"}`, `{"type":"text","text":"Parse the dates of the log file"}`)
	w.contextSays("This context holds 750 of 1000 tokens", "Parse the dates")
}

// The file says that the context fills up, until a turn has ended that could
// read it.
func TestTheFileTellsOfAFillingContext(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.wireOpenCode()
	w.write(w.home.Windows(), `{"large-1": 1000}`)
	w.start()
	db := w.openCode()
	answer := func(finish string, tokens int) {
		db.message(fmt.Sprintf(`{"role":"assistant","modelID":"large-1","finish":%q,"time":{"completed":%d},"tokens":{"input":%d}}`,
			finish, time.Now().UnixMilli(), tokens), `{"type":"text","text":"One more file."}`)
	}
	db.message(`{"role":"user"}`, `{"type":"text","text":"Parse the dates of the log file"}`)
	answer("tool-calls", 750)
	w.contextSays("This context holds 750 of 1000 tokens", "Parse the dates")
	answer("stop", 760)
	w.eventually("it says so no longer", func() bool { return !strings.Contains(w.contextFile(), "This context holds") })
}
