package restore_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/restore"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.org"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(at.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// delivery is a handoff of a session that ended two hours ago in a repository,
// with two files.
func delivery(t *testing.T) restore.Delivery {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	last := time.Now().Add(-2 * time.Hour).Truncate(time.Second)
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a.go"), last.Add(-time.Minute))
	write(t, filepath.Join(dir, "b.go"), last.Add(-time.Minute))
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	return restore.Delivery{
		From: ledger.Session{SessionKey: ledger.SessionKey{Tool: "codex", ID: "s1"}, Worktree: dir, Branch: "main"},
		Facts: distiller.Facts{
			Updated: last, Git: &distiller.Git{Branch: "main", Head: git(t, dir, "rev-parse", "HEAD")},
			Files: []distiller.File{{Path: "a.go", Change: "edit"}, {Path: "b.go", Change: "read"}, {Path: "old.go", Change: "delete"}},
		},
		Worktree: dir, Age: 2 * time.Hour,
	}
}

func since(d restore.Delivery) string {
	d.Checkout = gitrepo.Look(d.Worktree)
	return strings.Join(restore.Since(context.Background(), d), "\n")
}

func TestSince_SaysNothingWhenNothingChanged(t *testing.T) {
	d := delivery(t)
	if got := since(d); got != "Last activity: 2 hours ago." {
		t.Errorf("said:\n%s", got)
	}
	d.Age = time.Minute
	if got := since(d); got != "" {
		t.Errorf("right after the work:\n%s", got)
	}
}

func TestSince_NamesListedFilesThatChangedOrAreGone(t *testing.T) {
	d := delivery(t)
	write(t, filepath.Join(d.Worktree, "a.go"), time.Now())
	write(t, filepath.Join(d.Worktree, "other.go"), time.Now()) // not listed
	if err := os.Remove(filepath.Join(d.Worktree, "b.go")); err != nil {
		t.Fatal(err)
	}
	got := since(d)
	if !strings.Contains(got, "Changed since: `a.go`. Gone: `b.go`.") || strings.Contains(got, "other.go") || strings.Contains(got, "old.go") {
		t.Errorf("said:\n%s", got)
	}
	d.Facts.Civil = true // the same moment as the clock on the wall showed it
	local := d.Facts.Updated.Local()
	d.Facts.Updated = time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
	if again := since(d); again != got {
		t.Errorf("of a clock without a zone:\n%s\nwant\n%s", again, got)
	}
}

// However many files are listed, few are looked at; a disk that hangs is not
// waited for.
func TestSince_LooksAtFewFilesAndWaitsForNoDisk(t *testing.T) {
	d := delivery(t)
	d.Facts.Files = slices.Repeat(d.Facts.Files[:1], 5000)
	looked := 0
	d.Disk.Stat = func(path string) (fs.FileInfo, error) { looked++; return os.Stat(path) }
	since(d)
	if looked > 24 {
		t.Errorf("%d files were looked at", looked)
	}
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	d.Disk.Stat = func(string) (fs.FileInfo, error) { <-hang; return nil, fs.ErrNotExist }
	began := time.Now()
	if got := since(d); got != "Last activity: 2 hours ago." {
		t.Errorf("beside a disk that hangs:\n%s", got)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestSince_TellsWhatMovedHEAD(t *testing.T) {
	d := delivery(t)
	git(t, d.Worktree, "commit", "-q", "--allow-empty", "-m", "by the user")
	git(t, d.Worktree, "commit", "-q", "--allow-empty", "-m", "by another tool")
	got := since(d)
	for _, want := range []string{"Last activity: 2 hours ago. HEAD moved since, from ", ": 2 commits: ", "by another tool; ", "by the user."} {
		if !strings.Contains(got, want) {
			t.Errorf("said\n%s\nwithout %q", got, want)
		}
	}
	d.Facts.Git.Head = d.Facts.Git.Head[:7] // as git printed it
	if again := since(d); !strings.Contains(again, "2 commits") {
		t.Errorf("from an abbreviated commit:\n%s", again)
	}
	d.Facts.Git.Head = git(t, d.Worktree, "rev-parse", "--short", "HEAD")
	if again := since(d); strings.Contains(again, "HEAD") {
		t.Errorf("where it stands:\n%s", again)
	}
}

func TestSince_TellsWhatIsUnderWay(t *testing.T) {
	d := delivery(t)
	git(t, d.Worktree, "checkout", "-q", "-b", "side")
	if err := os.WriteFile(filepath.Join(d.Worktree, ".git", "MERGE_HEAD"), []byte(d.Facts.Git.Head+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Checkout = gitrepo.Look(d.Worktree)
	got := restore.Since(context.Background(), d)
	if len(got) != 2 || !strings.Contains(got[0], "a merge") || !strings.Contains(got[1], "The branch is side now; the work below was done on main.") {
		t.Errorf("said:\n%s", strings.Join(got, "\n"))
	}
}

func TestSince_TellsOfJobsWhatCanBeKnown(t *testing.T) {
	d := delivery(t)
	d.Age = time.Minute
	d.Jobs = []distiller.Job{{What: "npm run dev", Process: 41}, {What: "make watch", Process: 42}, {What: "tail -f log", Process: 43}, {What: "sync"}}
	d.Disk.Boot = func() time.Time { return d.Facts.Updated.Add(-time.Hour) }
	d.Disk.Alive = func(process int) (time.Time, bool) {
		switch process {
		case 41:
			return d.Facts.Updated.Add(-time.Minute), true
		case 43: // another one has its number
			return d.Facts.Updated.Add(time.Hour), true
		}
		return time.Time{}, false
	}
	want := "No longer running in the background: `make watch`, `tail -f log`. Still running in the background: `npm run dev (process 41)`. Left in the background, may have ended: `sync`."
	if got := since(d); got != want {
		t.Errorf("said:\n%s", got)
	}
	d.Disk.Boot = func() time.Time { return d.Facts.Updated.Add(time.Minute) }
	if got := since(d); strings.Count(got, "No longer") != 1 || strings.Contains(got, "may have") || strings.Contains(got, "Still") {
		t.Errorf("after a restart of the machine:\n%s", got)
	}
}

// A process of this machine is found with its beginning.
func TestSince_KnowsThisProcess(t *testing.T) {
	d := delivery(t)
	d.Age, d.Facts.Updated = 0, time.Now()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skipf("no program to run: %v", err)
	}
	d.Jobs = []distiller.Job{{What: "sleep 60", Process: cmd.Process.Pid}}
	if got := since(d); !strings.Contains(got, "Still running") {
		t.Errorf("while it runs: %q", got)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if got := since(d); !strings.Contains(got, "No longer running") {
		t.Errorf("after its end: %q", got)
	}
}
