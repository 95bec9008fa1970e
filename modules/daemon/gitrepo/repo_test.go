package gitrepo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
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

// gitFails runs a git command that may fail.
func gitFails(dir string, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.org"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	return cmd.Run()
}

func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

func find(t *testing.T, dir string) gitrepo.Worktree {
	t.Helper()
	w, ok := gitrepo.Find(dir)
	if !ok {
		t.Fatalf("%s is in no worktree", dir)
	}
	return w
}

// What is read from the files is what git says, in each form git keeps it.
func TestHeadIsWhatGitSays(t *testing.T) {
	dir := repository(t)
	git(t, dir, "branch", "feature/dates")
	for name, change := range map[string]func(){
		"a loose ref":    func() {},
		"a packed ref":   func() { git(t, dir, "pack-refs", "--all") },
		"another branch": func() { git(t, dir, "checkout", "-q", "feature/dates") },
		"a new commit":   func() { git(t, dir, "commit", "-q", "--allow-empty", "-m", "more") },
		"detached":       func() { git(t, dir, "checkout", "-q", "--detach") },
	} {
		change()
		branch, head := find(t, dir).Head()
		if want := git(t, dir, "rev-parse", "HEAD"); head != want {
			t.Errorf("%s: HEAD is %s, want %s", name, head, want)
		}
		if want := git(t, dir, "branch", "--show-current"); branch != want {
			t.Errorf("%s: branch is %q, want %q", name, branch, want)
		}
	}
}

// All worktrees of a repository are one project.
func TestWorktreesAreOneProject(t *testing.T) {
	dir := repository(t)
	linked := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-linked")
	git(t, dir, "worktree", "add", "-q", "-b", "side", linked)
	t.Cleanup(func() { _ = os.RemoveAll(linked) })
	sub := filepath.Join(linked, "deep", "down")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	main, ok := gitrepo.Identity(dir)
	if !ok {
		t.Fatal("the repository is no project")
	}
	side, ok := gitrepo.Identity(sub)
	if !ok || side.Common != main.Common || side.Worktree != linked || side.Worktree == main.Worktree {
		t.Errorf("main is %+v, side %+v", main, side)
	}
	if branch, _ := find(t, sub).Head(); branch != "side" {
		t.Errorf("the linked worktree is on %q", branch)
	}
}

func TestWhatIsNobodysProject(t *testing.T) {
	user, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", user)
	git(t, user, "init", "-q") // dotfiles under git
	for _, dir := range []string{user, "/", os.TempDir(), "", "relative"} {
		if identity, ok := gitrepo.Identity(dir); ok {
			t.Errorf("%q is the project %+v", dir, identity)
		}
	}
	below := filepath.Join(os.TempDir(), "somewhere-not-there")
	if identity, ok := gitrepo.Identity(below); !ok || identity.Worktree != below {
		t.Errorf("a plain directory is %+v, %v", identity, ok)
	}
}
