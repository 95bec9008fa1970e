package daemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

func (w *world) forgets(text string) view.ForgetResult {
	w.t.Helper()
	result, err := client.New(w.home).Forget(w.t.Context(), view.ForgetRequest{Text: text}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

func (w *world) unchanged(path, want string) {
	w.t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		w.t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

// A repository can bring a link that makes the user's documents look like
// Carryover's own folder.
func TestForget_LeavesFilesOutsideAlone(t *testing.T) {
	w := newWorld(t)
	thesis := filepath.Join(w.user, "Documents", "handoff.md")
	w.write(thesis, "On the Nightingale.\n")
	if err := os.Symlink("../Documents", filepath.Join(w.project, ".carryover")); err != nil {
		t.Fatal(err)
	}
	w.install()
	w.start()
	w.works(first, w.project, "Ask the Nightingale to read dates.")
	w.ends(first, w.project)
	done := w.forgets("Nightingale")
	w.unchanged(thesis, "On the Nightingale.\n")
	if done.Events == 0 || len(done.Refused) != 1 || done.Refused[0].Path != ".carryover" || done.Refused[0].Reason != "is a link" {
		t.Errorf("forgotten: %+v", done)
	}
}

// What a person put beside Carryover's own files is not ours to rewrite; the
// session report is.
func TestForget_ScrubsWhatCarryoverWrote(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Ask the Nightingale to read dates.")
	w.ends(first, w.project)
	notes, report := filepath.Join(w.project, ".carryover", "notes.md"), filepath.Join(w.project, ".carryover", "ledger.md")
	w.eventually("the session report is written", func() bool {
		text, err := os.ReadFile(report)
		return err == nil && strings.Contains(string(text), "Nightingale")
	})
	w.write(notes, "Nightingale\n")
	w.forgets("Nightingale")
	w.unchanged(notes, "Nightingale\n")
	if text, err := os.ReadFile(report); err != nil || strings.Contains(string(text), "Nightingale") {
		t.Errorf("the session report holds (%v)\n%s", err, text)
	}
}

// The install must survive that somebody forgets the name of a tool, a word of
// the token's header or a part of a path.
func TestForget_NeverBreaksTheInstall(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.works(first, w.project, "Let claude read dates.")
	w.ends(first, w.project)
	files := map[string]string{}
	w.write(w.home.Config(), "exclude = [\"~/clients/claude\"]\n")
	w.write(w.home.Path("backups", "0123456789abcdef-settings.json"), `{"theme":"claude Bearer"}`)
	for _, path := range []string{w.home.Config(), w.home.Installed(), w.home.Token(), w.home.Path("backups", "0123456789abcdef-settings.json")} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	for _, text := range []string{"claude", "Bearer", filepath.Base(w.user)} {
		w.forgets(text)
		for path, want := range files {
			w.unchanged(path, want)
		}
	}
}
