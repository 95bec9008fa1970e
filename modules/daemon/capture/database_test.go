package capture_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// schema is what of OpenCode's database is asked for.
const schema = `
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, model TEXT,
	permission TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE INDEX part_session_idx ON part (session_id);
CREATE TABLE project (id TEXT PRIMARY KEY);`

// A database is read while its agent works: rows from the log, changed ones
// again, each event once; what the agent removes stays in the ledger.
func TestADatabaseIsReadWhileItIsWritten(t *testing.T) {
	b := newBench(t)
	b.path = filepath.Join(t.TempDir(), "opencode.db")
	agent, err := sql.Open("sqlite", b.path)
	if err != nil {
		t.Fatal(err)
	}
	agent.SetMaxOpenConns(1)
	defer func() { _ = agent.Close() }()
	do := func(statement string) {
		t.Helper()
		if _, err := agent.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	stored := func() string {
		t.Helper()
		for range 2 { // the second finds nothing new
			if _, err := b.Read(context.Background(), "opencode", b.path); err != nil {
				t.Fatal(err)
			}
		}
		var words []string
		for event, err := range b.log.Events(context.Background(), ledger.SessionKey{Tool: "opencode", ID: "ses_1"}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case event.Kind == transcript.Call:
				words = append(words, event.Call.Command)
			case event.Kind == transcript.Result:
				words = append(words, event.Result.Text)
			case event.Text != "":
				words = append(words, event.Text)
			}
		}
		return strings.Join(words, " | ")
	}
	expect := func(want string) {
		t.Helper()
		if got := stored(); got != want {
			t.Errorf("the ledger holds: %s\nwant %s", got, want)
		}
	}

	do("PRAGMA journal_mode=wal")
	do("PRAGMA wal_autocheckpoint=0")
	do(schema)
	do(`INSERT INTO session VALUES ('ses_1', NULL, '/home/dev/p', 'New session - x', '1.18.33', '{"id":"m"}', NULL, 1000, 9000)`)
	do(`INSERT INTO message VALUES ('msg_000000001001a', 'ses_1', 1000, 1000, '{"role":"user"}')`)
	do(`INSERT INTO part VALUES ('prt_000000001001a', 'msg_000000001001a', 'ses_1', 1001, 1001, '{"type":"text","text":"run it"}')`)
	do(`INSERT INTO message VALUES ('msg_000000002001a', 'ses_1', 2000, 2000, '{"role":"assistant","mode":"build"}')`)
	do(`INSERT INTO part VALUES ('prt_000000002001a', 'msg_000000002001a', 'ses_1', 2001, 2001,
		'{"type":"tool","tool":"bash","state":{"status":"running","input":{"command":"make"},"time":{"start":2001}}}')`)
	do(`INSERT INTO part VALUES ('prt_000000002002a', 'msg_000000002001a', 'ses_1', 2002, 2002, '{"type":"text","text":"It is be"}')`)
	expect("run it | make")

	do(`UPDATE part SET time_updated = 9000, data = '{"type":"tool","tool":"bash","state":{"status":"completed",
		"input":{"command":"make"},"output":"made","metadata":{"exit":0},"time":{"start":2001,"end":9000}}}' WHERE id = 'prt_000000002001a'`)
	do(`UPDATE part SET data = '{"type":"text","text":"It is built."}' WHERE id = 'prt_000000002002a'`)
	do(`UPDATE message SET time_updated = 9001, data = '{"role":"assistant","mode":"build","finish":"stop","time":{"completed":9001}}'
		WHERE id = 'msg_000000002001a'`)
	expect("run it | make | made | It is built. | completed")

	if source, _, err := b.log.Source(context.Background(), "opencode", b.path); err != nil || source.Parked != "" || !source.Rewrites {
		t.Errorf("source: %+v, %v", source, err)
	}
	do("DELETE FROM part")
	expect("run it | make | made | It is built. | completed")
}

// SQLite shows the rows of a log a moment after it has written the log, which
// raises no event: a database that was just written is looked at again.
func TestRead_IsUnsureOfADatabaseJustWritten(t *testing.T) {
	b := newBench(t)
	b.path = filepath.Join(t.TempDir(), "opencode.db")
	agent, err := sql.Open("sqlite", b.path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Exec(schema); err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if taken, err := b.Read(t.Context(), "opencode", b.path); err != nil || !taken.Unsure || taken.Unchanged {
			t.Fatalf("just written: %+v, %v", taken, err)
		}
	}
	quiet := time.Now().Add(-2 * capture.VisibleAfter)
	if err := os.Chtimes(b.path, quiet, quiet); err != nil {
		t.Fatal(err)
	}
	for n, unchanged := range []bool{false, true} {
		if taken, err := b.Read(t.Context(), "opencode", b.path); err != nil || taken.Unsure || taken.Unchanged != unchanged {
			t.Fatalf("reading %d of a quiet one: %+v, %v", n, taken, err)
		}
	}
}
