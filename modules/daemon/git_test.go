package daemon_test

import (
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller"
)

// gitOf is the repository as the session's handoff has it, and how many git
// events are kept of it.
func (w *world) gitOf(session string) (git *distiller.Git, events int) {
	w.t.Helper()
	p := w.reading()
	document, err := p.Handoff(w.t.Context(), view.HandoffRequest{SessionSelector: view.SessionSelector{Session: session}})
	if err != nil {
		w.t.Fatal(err)
	}
	shown, err := p.ShowSession(w.t.Context(), view.SessionRequest{Session: session})
	if err != nil {
		w.t.Fatal(err)
	}
	if head := "HEAD was `" + document.Facts.Git.Head[:9] + "` on branch main"; !strings.Contains(document.Text, head) {
		w.t.Errorf("the handoff does not say that %s:\n%s", head, document.Text)
	}
	for _, event := range shown.Events {
		if event.Kind == "git" {
			events++
		}
	}
	return document.Facts.Git, events
}

func (w *world) commits(subject string) {
	w.t.Helper()
	w.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "--allow-empty", "-m", subject)
}

// A commit that prints nothing, whoever made it, is seen at the next hook; HEAD
// that stays makes no event, one that comes back where it was does.
func TestGit_CommitsThatPrintNothingAreSeen(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	w.commits("before it all")
	w.works(first, w.project, "Parse the dates of the log file")
	for range 3 {
		w.toolRan(first, "")
	}
	w.commits("parse the dates")
	w.toolRan(first, "")
	w.commits("by the user")
	w.prompts(first)
	w.git("reset", "-q", "--hard", "HEAD~1")
	w.toolRan(first, "")
	w.toolRan(first, "")
	w.stop()
	git, events := w.gitOf(first)
	if git == nil || len(git.Head) != 40 || len(git.Commits) == 0 || !strings.HasSuffix(git.Commits[0], " parse the dates") {
		t.Errorf("the handoff has %+v", git)
	}
	if events != 4 {
		t.Errorf("%d git events are kept, want one for each place of HEAD", events)
	}
}
