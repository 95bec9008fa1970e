package gitrepo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
)

func TestUnrecorded_CountsWhatGitHasNot(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	write("kept.go", "package a\n")
	write("changed.go", "package a\n")
	write("gone.go", "package a\n")
	git("add", ".")
	write("changed.go", "package a // longer\n")
	write("new.go", "package a\n")
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	worktree, ok := gitrepo.Find(root)
	if !ok {
		t.Fatal("no worktree")
	}
	files := []string{"kept.go", "changed.go", "gone.go", filepath.Join(worktree.Root, "new.go"), "never.go", "../outside.go"}
	if n := worktree.Unrecorded(files); n != 3 {
		t.Errorf("%d files, want 3: changed, gone, new", n)
	}
}
