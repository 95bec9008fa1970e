package daemon_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// However a project is reached, and wherever it is now, a session there is given its
// work and a terminal there finds it.
func TestProject_IsTheSameHoweverItIsReached(t *testing.T) {
	for name, reach := range map[string]func(w *world) (dir string){
		"a folder of it": func(w *world) string { return w.folder(w.project, "cmd", "tool") },
		"a link to it": func(w *world) string {
			link := filepath.Join(w.user, "link")
			if err := os.Symlink(w.project, link); err != nil {
				w.t.Fatal(err)
			}
			return link
		},
		"a folder behind a link": func(w *world) string {
			link := filepath.Join(w.user, "link")
			if err := errors.Join(os.MkdirAll(filepath.Join(w.project, "cmd"), 0o755), os.Symlink(w.project, link)); err != nil {
				w.t.Fatal(err)
			}
			return filepath.Join(link, "cmd")
		},
		"a bind mount": func(w *world) string {
			at := w.folder(w.user, "mounted")
			if out, err := exec.Command("mount", "--bind", w.project, at).CombinedOutput(); err != nil {
				w.t.Skipf("no mounts here: %v %s", err, out)
			}
			w.t.Cleanup(func() { _ = exec.Command("umount", at).Run() })
			return at
		},
		"where it was moved to": func(w *world) string {
			handoff := filepath.Join(w.project, ".carryover", "handoff.md")
			w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
			w.eventually("the handoff is published", func() bool { _, err := os.Stat(handoff); return err == nil })
			w.ends(first, w.project)
			now := filepath.Join(w.user, "renamed")
			if err := os.Rename(w.project, now); err != nil {
				w.t.Fatal(err)
			}
			return now
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.install()
			w.start()
			w.write(filepath.Join(w.project, "parser.go"), "package parser\n")
			w.works(first, w.project, "Parse the dates of the log file")
			w.ends(first, w.project)
			dir := reach(w)
			text := w.starts(second, dir, "startup")
			if !strings.Contains(text, "Parse the dates") || strings.Contains(text, "another worktree") || strings.Contains(text, "Gone:") {
				t.Errorf("given\n%s\ndecided %+v", text, w.why(second))
			}
			shown, err := client.New(w.home).Handoff(t.Context(), view.HandoffRequest{SessionSelector: view.SessionSelector{Directory: dir}})
			if err != nil || !strings.Contains(shown.Text, "Parse the dates") {
				t.Errorf("a terminal finds %q (%v)", shown.Text, err)
			}
		})
	}
}

// A worktree that was removed before its history was read belongs to its repository.
func TestProject_HasTheHistoryOfARemovedWorktree(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.git("-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", "first")
	tree := w.project + "-login"
	w.git("worktree", "add", "-q", "-b", "login", tree)
	w.works(first, tree, "Parse the dates of the log file")
	w.git("worktree", "remove", "--force", tree)
	w.start()
	if text := w.starts(second, w.project, "startup"); !strings.Contains(text, "Parse the dates") || !strings.Contains(text, "another worktree") {
		t.Errorf("given\n%s", text)
	}
}

func (w *world) folder(names ...string) string {
	w.t.Helper()
	dir := filepath.Join(names...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	return dir
}
