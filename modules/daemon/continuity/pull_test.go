package continuity_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/ledger"
)

// A merge that is held up by a filter has written a trajectory of somebody else, and
// the index does not name it yet.
func TestTakeTrajectories_LeavesThoseOfAMergeUnderWay(t *testing.T) {
	k, at := kept(t, 0)
	reached, goOn := filepath.Join(t.TempDir(), "reached"), filepath.Join(t.TempDir(), "go-on")
	git := func(args ...string) *exec.Cmd {
		cmd := exec.Command("git", append([]string{
			"-C", at.Worktree, "-c", "user.name=dev", "-c", "user.email=dev@example.org", "-c", "init.defaultBranch=main",
			"-c", fmt.Sprintf("filter.slow.smudge=touch %s; until [ -e %s ]; do sleep .01; done; cat", reached, goOn),
		}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+at.Worktree)
		return cmd
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := git(args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(at.Worktree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record := func(id string) {
		t.Helper()
		write(".trajectories/completed/"+id+".json", fmt.Sprintf(`{"id":%q,"task":{"title":"Build it"},"status":"completed",
			"completedAt":"2026-03-02T09:00:00Z","retrospective":{"summary":"built by %s"}}`, id, id))
	}
	taken := func() (ids []string) {
		t.Helper()
		if err := k.TakeTrajectories(t.Context(), at, continuity.Recorder{CLI: "claude"}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		list, err := k.Log.Handoffs(t.Context(), ledger.HandoffFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			ids = append(ids, one.ID)
		}
		return ids
	}

	run("init", "-q")
	write(".gitattributes", "*.slow filter=slow\n")
	run("add", ".")
	run("commit", "-qm", "first")
	run("checkout", "-qb", "theirs")
	record("traj_pulled")
	write("zz.slow", "late\n")
	run("add", ".")
	run("commit", "-qm", "theirs")
	run("checkout", "-q", "main")

	merge := git("merge", "-q", "--ff-only", "theirs")
	if err := merge.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(reached); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the merge does not get to the slow file")
		}
	}
	if _, err := os.Stat(filepath.Join(at.Worktree, ".trajectories", "completed", "traj_pulled.json")); err != nil {
		t.Fatal("the merge has not written the trajectory yet: ", err)
	}
	if ids := taken(); len(ids) != 0 {
		t.Errorf("taken while the merge was under way: %v", ids)
	}
	if err := os.WriteFile(goOn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := merge.Wait(); err != nil {
		t.Fatal(err)
	}
	if ids := taken(); len(ids) != 0 {
		t.Errorf("taken after the merge: %v", ids)
	}
	record("traj_own")
	if ids := taken(); len(ids) != 1 || ids[0] != "traj_own" {
		t.Errorf("the agent's own: %v", ids)
	}
}
