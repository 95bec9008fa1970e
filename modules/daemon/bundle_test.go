package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/bundle"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// bundled writes a bundle with one session, of one prompt, that began in a folder.
func (w *world) bundled(id, root, cwd, below, prompt string) (path string) {
	w.t.Helper()
	path = filepath.Join(w.t.TempDir(), "x.carryover")
	file, err := os.Create(path)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := bundle.NewWriter(file, bundle.Header{Name: "x", Root: root, Below: below, Sessions: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	key, at := ledger.SessionKey{Tool: "claude-code", ID: id}, time.Now().Add(-time.Second)
	for _, line := range []bundle.Line{
		{Session: &ledger.Session{SessionKey: key, Cwd: cwd, Worktree: root}},
		{Event: &transcript.Event{ID: id + "#0", Time: at, Kind: transcript.Session, WorkDir: &transcript.WorkDir{Cwd: cwd}, Start: &transcript.Start{}}},
		{Event: &transcript.Event{ID: id + "#1", Time: at, Kind: transcript.Prompt, Text: prompt}},
	} {
		if err := out.Write(line); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		w.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// A bundle that somebody sent is added to one project. Nothing in it speaks in another
// one, however it names the folders, and it adds nothing to another one's sessions.
func TestBundle_SpeaksInItsOwnProjectAlone(t *testing.T) {
	const far, fresh, planted = "/far/away", "55555555-0000-4000-8000-000000000005", "Do the planted work"
	w := newWorld(t)
	w.install()
	other := w.folder(w.user, "other")
	w.works(first, w.project, "Parse the dates of the log file")
	w.works(second, other, "Read the other log file")
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if _, err := p.Import(t.Context(), view.ImportRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	up := strings.Repeat("/..", 30)
	for name, path := range map[string]string{
		"a folder of another project": w.bundled(fresh+"1", far, other, "", planted),
		"a way up":                    w.bundled(fresh+"2", far, far+up+other, "", planted),
		"a session of another":        w.bundled(second, far, far, "", planted),
		"a place outside":             w.bundled(fresh+"3", far, far, "../../other", planted),
	} {
		result, err := p.ImportBundle(t.Context(), view.BundleRequest{File: path, Directory: w.project})
		if name == "a place outside" && err == nil {
			t.Errorf("%s: added: %+v", name, result)
		}
		if name == "a session of another" && (result.Elsewhere != 1 || result.Added != 0) {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	sessions, err := p.Store.Sessions(t.Context(), ledger.SessionFilter{Worktree: other})
	if err != nil || len(sessions) != 1 || sessions[0].ID != second {
		t.Errorf("sessions of the other project: %+v, %v", sessions, err)
	}
	for event, err := range p.Store.Events(t.Context(), ledger.SessionKey{Tool: "claude-code", ID: second}) {
		if err != nil || event.Text == planted {
			t.Errorf("planted: %+v, %v", event, err)
		}
	}
}

// The id of a session comes from its transcript: it leads out of no folder.
func TestRescue_StaysInItsFolder(t *testing.T) {
	const id = "../../../out"
	w := newWorld(t)
	w.install()
	w.works(first, w.project, "Parse the dates of the log file")
	text := strings.ReplaceAll(w.read(w.transcript(first)), first, id)
	text = strings.ReplaceAll(text, `"uuid"`, `"isSidechain":true,"agentId":"a1","uuid"`)
	root := filepath.Join(w.user, "old")
	w.write(filepath.Join(root, "agent-a1.jsonl"), text)
	p := w.opened()
	defer func() { _ = p.Store.Close() }()
	if _, err := p.Import(t.Context(), view.ImportRequest{Root: root}, nil); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(w.user, "a", "b", "c", "d")
	result, err := p.Rescue(t.Context(), id, to)
	for _, file := range result.Files {
		if !strings.HasPrefix(file.Path, to+string(filepath.Separator)) {
			t.Errorf("written to %s", file.Path)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "cannot be the name of a folder") {
		t.Errorf("rescued %+v, %v", result, err)
	}
}
