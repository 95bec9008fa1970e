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
var damagedTables = []string{"sqlite_schema", "meta", "tool", "project", "session", "search_data", "agent", "source_main", "occurrence_session"}

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
			at := bytes.LastIndex(content, []byte("Read the other log"))
			content[at]++
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
