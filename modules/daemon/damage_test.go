package daemon_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// onlyHere makes a home whose ledger has what the default places cannot give
// back: an imported folder, a transcript that its tool deleted, a named agent, a
// dismissal. It returns the digest.
func (w *world) onlyHere() ledger.Digest {
	w.t.Helper()
	w.install()
	w.works(first, w.project, "Parse the dates of the log file")
	w.works(second, w.project, "Read the other log file")
	w.works(third, w.project, "Ask for the name")
	outside := filepath.Join(w.user, "backup", third+".jsonl")
	w.write(outside, "")
	if err := os.Rename(w.transcript(third), outside); err != nil {
		w.t.Fatal(err)
	}
	p := w.opened()
	for _, request := range []view.ImportRequest{{}, {Root: filepath.Dir(outside)}} {
		if _, err := p.Import(w.t.Context(), request, nil); err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := p.SaveAgentNotes(w.t.Context(), view.AgentNotesRequest{AgentRequest: view.AgentRequest{Agent: "ada", Project: w.project}, Content: "Current task: bill the client\nCompleted: read the notes\nNext steps: ask"}); err != nil {
		w.t.Fatal(err)
	}
	if _, err := p.Dismiss(w.t.Context(), view.DismissRequest{Session: first}); err != nil {
		w.t.Fatal(err)
	}
	digest, err := p.Store.Digest(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := p.Store.Close(); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Remove(w.transcript(second)); err != nil {
		w.t.Fatal(err)
	}
	return digest
}

func (w *world) opened() *daemon.Services {
	w.t.Helper()
	p, err := daemon.OpenReadWrite(w.home, func(err error) { w.t.Error(err) })
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// rootOf is the first page of a table or index.
func (w *world) rootOf(name string) int64 {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.home.Ledger()+"?mode=ro")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var root int64
	if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", name).Scan(&root); err != nil {
		w.t.Fatal(err)
	}
	return root
}

// promptOf is the id of the first prompt of a session, which stands in the ledger as it
// is.
func (w *world) promptOf(session string) string {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.home.Ledger()+"?mode=ro")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var id string
	err = db.QueryRow("SELECT e.id FROM event e JOIN occurrence o ON o.event = e.key JOIN session s ON s.id = o.session WHERE s.name = ? AND e.kind = 'prompt' ORDER BY o.offset LIMIT 1", session).Scan(&id)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// overwrite puts noise in the place of a page of the ledger.
func (w *world) overwrite(page int64) {
	w.t.Helper()
	file, err := os.OpenFile(w.home.Ledger(), os.O_RDWR, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0xa5}, 4096), (page-1)*4096); err != nil {
		w.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// hasAll says that nothing is missing in the ledger.
func (w *world) hasAll(p *daemon.Services, want ledger.Digest) error {
	digest, err := p.Store.Digest(context.Background())
	if err != nil || digest != want {
		return fmt.Errorf("digest %+v (%w), want %+v", digest, err, want)
	}
	notes, err := p.AgentNotes(context.Background(), view.AgentRequest{Agent: "ada", Project: w.project})
	if err != nil || notes.CurrentTask != "bill the client" {
		return fmt.Errorf("notes %+v, %w", notes, err)
	}
	handoffs, err := p.Store.Handoffs(context.Background(), ledger.HandoffFilter{Agent: "ada"})
	if err != nil || len(handoffs) != 1 || len(handoffs[0].NextSteps) != 1 {
		return fmt.Errorf("handoffs %+v, %w", handoffs, err)
	}
	restores, err := p.Store.Restores(context.Background(), ledger.SessionKey{}, 0)
	if err != nil || len(restores) != 1 {
		return fmt.Errorf("dismissals %+v, %w", restores, err)
	}
	return nil
}

// damagedTables are those of which one page is destroyed, and whether the
// dismissal can be read from elsewhere.
var damagedTables = []string{"sqlite_schema", "meta", "tool", "project", "session", "search_data", "agent", "source_main", "session_source", "document"}

// Whatever page is destroyed, neither what the default places do not have nor
// what no file has is lost.
func TestRepair_KeepsWhatOnlyTheLedgerHas(t *testing.T) {
	for _, table := range damagedTables {
		t.Run(table, func(t *testing.T) {
			w := newWorld(t)
			want := w.onlyHere()
			root := int64(1)
			if table != "sqlite_schema" {
				root = w.rootOf(table)
			}
			w.overwrite(root)
			result, err := daemon.Repair(t.Context(), w.home, func(err error) { t.Error(err) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			if result.Damaged == "" || result.Recovered == nil || result.Recovered.Lost > 0 || len(result.Recovered.LostAgents) > 0 {
				t.Errorf("repaired: %+v, %+v", result, result.Recovered)
			}
			p := w.opened()
			defer func() { _ = p.Store.Close() }()
			if err := w.hasAll(p, want); err != nil {
				t.Error(err)
			}
		})
	}
}

// A sound ledger is not made smaller by a repair.
func TestRepair_ShrinksNothing(t *testing.T) {
	w := newWorld(t)
	want := w.onlyHere()
	w.write(w.transcript(first), "") // its tool has emptied it
	if _, err := daemon.Repair(t.Context(), w.home, func(err error) { t.Error(err) }, nil); err != nil {
		t.Fatal(err)
	}
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if err := w.hasAll(p, want); err != nil {
		t.Error(err)
	}
}

// A daemon notices the damage at its start, whether or not SQLite does, mends it
// while it serves, and says so.
func TestDaemon_MendsADamagedLedger(t *testing.T) {
	for name, hurt := range map[string]func(w *world){
		"the first page": func(w *world) { w.overwrite(1) },
		"an index":       func(w *world) { w.overwrite(w.rootOf("source_main")) },
		"a letter": func(w *world) {
			content, err := os.ReadFile(w.home.Ledger())
			if err != nil {
				w.t.Fatal(err)
			}
			content[bytes.LastIndex(content, []byte(w.promptOf(second)))]++
			w.write(w.home.Ledger(), string(content))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			want := w.onlyHere()
			hurt(w)
			w.start()
			var said string
			w.eventually("the ledger is mended", func() bool {
				status, err := client.New(w.home).Status(t.Context())
				said = status.Damage
				return err == nil && strings.Contains(said, "lost")
			})
			w.stop()
			if name == "a letter" { // its event is in no transcript any more
				if !strings.Contains(said, "1 event of 1 session lost") {
					t.Errorf("status says %q", said)
				}
				return
			}
			if !strings.Contains(said, "none lost") {
				t.Errorf("status says %q", said)
			}
			p := w.opened()
			if err := w.hasAll(p, want); err != nil {
				t.Error(err)
			}
			_ = p.Store.Close()
			if !w.diagnosed("ledger-damage") {
				t.Error("doctor says nothing")
			}
		})
	}
}

// What stands in the ledger's place or beside it and is not the ledger's is set aside
// whole. The daemon serves, with a ledger made from the rest, and says what was there.
func TestDaemon_SetsAsideWhatIsNotTheLedgers(t *testing.T) {
	foreign := foreignLog(t)
	for name, c := range map[string]struct {
		put        func(w *world)
		says, kept string
	}{
		"a folder": {func(w *world) {
			if err := os.Rename(w.home.Ledger(), filepath.Join(w.user, "elsewhere")); err != nil {
				w.t.Fatal(err)
			}
			w.write(filepath.Join(w.home.Ledger(), "mine.txt"), "a file of the user")
		}, "a folder stands in the place of ledger.sqlite", "/mine.txt"},
		"a folder as log":           {func(w *world) { w.write(filepath.Join(w.home.Ledger()+"-wal", "mine.txt"), "a file of the user") }, "a folder stands in the place of ledger.sqlite-wal", "-wal/mine.txt"},
		"the log of another ledger": {func(w *world) { w.write(w.home.Ledger()+"-wal", foreign) }, "its write-ahead log is that of another ledger", "-wal"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			want := w.onlyHere()
			c.put(w)
			if _, err := daemon.OpenReadOnly(w.home, func(error) {}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("a command says %v, want %q", err, c.says)
			}
			w.start()
			var said string
			w.eventually("the ledger is rebuilt", func() bool {
				status, err := client.New(w.home).Status(t.Context())
				said = status.Damage
				return err == nil && strings.Contains(said, "lost")
			})
			if !strings.Contains(said, c.says) || !strings.Contains(said, "an unknown number lost") {
				t.Errorf("status says %q", said)
			}
			if kept, _ := filepath.Glob(w.home.Ledger() + ".damaged-*" + c.kept); len(kept) != 1 {
				t.Errorf("what was there is not kept: %q", kept)
			}
			w.stop()
			p := w.opened()
			defer func() { _ = p.Store.Close() }()
			if err := w.hasAll(p, want); err != nil && name != "a folder" { // the ledger itself is gone
				t.Error(err)
			}
		})
	}
}

// foreignLog is the write-ahead log of a ledger that is open.
func foreignLog(t *testing.T) string {
	t.Helper()
	w := newWorld(t)
	w.onlyHere()
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if _, err := p.Dismiss(t.Context(), view.DismissRequest{Session: second}); err != nil {
		t.Fatal(err)
	}
	return w.read(w.home.Ledger() + "-wal")
}

// diagnosed says whether doctor has a check of that name.
func (w *world) diagnosed(name string) bool {
	w.t.Helper()
	table, errs := toolspecs.Load(os.DirFS(w.user))
	if len(errs) > 0 {
		w.t.Fatal(errs)
	}
	for _, check := range doctor.Run(w.t.Context(), w.home, table).Checks {
		if check.Name == name {
			return true
		}
	}
	return false
}

// Where transcript and ledger are gone, the last handoff is all that is left of a session.
// It is kept before that of the next session takes its place, and named.
func TestRepair_KeepsTheLastHandoffOfALostSession(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	stop := func(id string) {
		w.hook("claude-code", "Stop", map[string]string{"session_id": id, "cwd": w.project, "transcript_path": w.transcript(id)})
	}
	stop(first)
	w.eventually("the handoff to be saved", func() bool {
		saved, _ := filepath.Glob(filepath.Join(w.home.Handoffs(), "*.json"))
		return len(saved) == 1 && strings.Contains(w.read(saved[0]), "Parse the dates")
	})
	w.stop()
	w.write(w.home.Ledger(), strings.Repeat("no ledger", 1000))
	if err := os.Remove(w.transcript(first)); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.namesDamage("of 1 session only the last handoff is left, in " + w.home.Handoffs())
	w.works(second, w.project, "Read the other log file")
	stop(second)
	w.eventually("the next handoff to be published", func() bool {
		return strings.Contains(w.read(filepath.Join(w.project, ".carryover", "handoff.md")), "Read the other")
	})
	kept, _ := filepath.Glob(filepath.Join(w.home.Handoffs(), "*.kept.md"))
	if len(kept) != 1 || !strings.Contains(w.read(kept[0]), "Parse the dates") {
		t.Errorf("kept %q", kept)
	}
	w.forgets("Parse the dates of the log file")
	if text := w.read(kept[0]); strings.Contains(text, "Parse the dates of") {
		t.Errorf("forgotten, and still there: %q", text)
	}
}

// What stood on a damaged page of the agents' table comes back from their files.
func TestRepair_ReadsTheFilesOfAgents(t *testing.T) {
	w := newWorld(t)
	want := w.onlyHere()
	w.overwrite(w.rootOf("agent"))
	var files []string
	err := filepath.WalkDir(filepath.Join(w.project, ".carryover"), func(path string, _ fs.DirEntry, err error) error {
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	result, err := daemon.Repair(t.Context(), w.home, func(err error) { t.Error(err) }, nil)
	if err != nil || result.Mirrors != 2 || len(result.Recovered.LostAgents) != 0 {
		t.Errorf("repaired %+v, %v, from %q", result, err, files)
	}
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if err := w.hasAll(p, want); err != nil {
		t.Error(err)
	}
}

// namesDamage waits until status says something of a damaged ledger.
func (w *world) namesDamage(want string) {
	w.t.Helper()
	var status view.Status
	var err error
	holds := func() bool {
		status, err = client.New(w.home).Status(w.t.Context())
		return err == nil && strings.Contains(status.Damage, want)
	}
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("status says %q (%v), want %q", status.Damage, err, want)
		}
	}
}

// A daemon that starts while a command holds the ledger waits until that has ended.
func TestStart_WhileACommandWrites(t *testing.T) {
	w := newWorld(t)
	writing, err := daemon.OpenReadWrite(w.home, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	time.AfterFunc(200*time.Millisecond, func() { ended <- writing.Store.Close() })
	w.start()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
