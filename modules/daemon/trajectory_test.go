package daemon_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite"
)

// A trajectory that came with the repository, by a pull in the middle of a session,
// is nobody's work here; one that is recorded in the session is.
func TestTrajectories_OfTheRepositoryAreNotTaken(t *testing.T) {
	w := newWorld(t)
	record := func(id string) {
		w.write(filepath.Join(w.project, ".trajectories", "completed", id+".json"), fmt.Sprintf(`{"id":%q,"task":{"title":"Build it"},"status":"completed",
			"completedAt":%q,"agents":[{"name":"claude"}],"retrospective":{"summary":"built by %s"}}`, id, time.Now().UTC().Format(time.RFC3339), id))
	}
	commit := []string{"-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m"}
	w.git(append(commit, "first", "--allow-empty")...)
	w.git("checkout", "-q", "-b", "theirs")
	record("traj_pulled")
	w.git("add", ".trajectories")
	w.git(append(commit, "theirs")...)
	w.git("checkout", "-q", "-")
	w.install()
	w.start()
	w.works(first, w.project, "Parse the dates of the log file")
	w.git("merge", "-q", "--ff-only", "theirs")
	record("traj_own")
	w.hook("claude-code", "Stop", map[string]string{"session_id": first, "cwd": w.project, "transcript_path": w.transcript(first)})
	var list []ledger.AgentHandoff
	w.eventually("the session's own trajectory is a handoff", func() bool {
		log, err := sqlite.OpenReadOnly(w.home.Ledger())
		if err != nil {
			return false
		}
		defer func() { _ = log.Close() }()
		list, err = log.Handoffs(t.Context(), ledger.HandoffFilter{})
		return err == nil && len(list) > 0
	})
	if len(list) != 1 || list[0].ID != "traj_own" {
		t.Errorf("handoffs: %+v", list)
	}
}
