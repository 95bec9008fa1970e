//go:build unix

package gitrepo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
)

// A FIFO in the place of one of git's files is not waited for.
func TestFind_DoesNotWaitForAFIFO(t *testing.T) {
	for _, name := range []string{".git", ".git/commondir", ".git/HEAD", ".git/config", ".git/index", ".git/packed-refs", ".git/refs/heads/main", ".git/logs/HEAD", ".git/rebase-merge/head-name"} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			path := filepath.Join(dir, name)
			if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755), syscall.Mkfifo(path, 0o600)); err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				gitrepo.Identity(dir)
				if w, ok := gitrepo.Find(dir); ok {
					w.Head()
					w.UnderWay()
					w.Moves()
					w.Tracks(".carryover")
					w.LastCommits(context.Background(), 3)
				}
			}()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("it waits")
			}
		})
	}
}

// A folder cannot make itself part of another project by naming its repository.
func TestFind_GivesAForeignRepositoryNothing(t *testing.T) {
	victim := repository(t)
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, victim, "worktree", "add", "-q", "-b", "side", linked)
	own := filepath.Join(victim, ".git")
	for name, prepare := range map[string]func(dir string) error{
		"a .git file": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+own+"\n"), 0o644)
		},
		"that of its worktree": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+filepath.Join(own, "worktrees", "linked")+"\n"), 0o644)
		},
		"a link":                 func(dir string) error { return os.Symlink(own, filepath.Join(dir, ".git")) },
		"commondir":              func(dir string) error { return forged(dir, own, "") },
		"commondir with gitdir":  func(dir string) error { return forged(dir, own, filepath.Join(dir, ".git")) },
		"commondir of no gitdir": func(dir string) error { return forged(dir, filepath.Join(own, "refs"), filepath.Join(dir, ".git")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			if w, ok := gitrepo.Find(dir); ok {
				t.Errorf("it is a worktree: %+v", w)
			}
			if identity, _ := gitrepo.Identity(dir); identity.Common != dir || identity.Worktree != dir {
				t.Errorf("it is of the project %+v", identity)
			}
		})
	}
}

// forged is a git folder that names the repository of another as its common one.
func forged(dir, common, gitdir string) error {
	at := filepath.Join(dir, ".git")
	return errors.Join(os.Mkdir(at, 0o755), os.WriteFile(filepath.Join(at, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644),
		os.WriteFile(filepath.Join(at, "commondir"), []byte(common+"\n"), 0o644), os.WriteFile(filepath.Join(at, "gitdir"), []byte(gitdir+"\n"), 0o644))
}

// A submodule is a worktree of its own, also when its project was moved.
func TestFind_KnowsASubmodule(t *testing.T) {
	inner, outer := repository(t), repository(t)
	git(t, outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "lib")
	w := find(t, filepath.Join(outer, "lib"))
	if w.Root != filepath.Join(outer, "lib") || w.Common != filepath.Join(outer, ".git", "modules", "lib") {
		t.Errorf("it is %+v", w)
	}
}

// What HEAD names is a commit or nothing: never a line of another file.
func TestHead_IsNoOtherFile(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(secret, []byte("PRIVATE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, prepare := range map[string]func(git string) error{
		"a link": func(git string) error { return errors.Join(os.Remove(git+"/HEAD"), os.Symlink(secret, git+"/HEAD")) },
		"a way out": func(git string) error {
			return os.WriteFile(git+"/HEAD", []byte("ref: ../../../../../../../../"+secret+"\n"), 0o600)
		},
		"a ref links": func(git string) error {
			return errors.Join(os.Remove(git+"/refs/heads/main"), os.Symlink(secret, git+"/refs/heads/main"))
		},
	} {
		dir := repository(t)
		w := find(t, dir)
		if err := prepare(w.GitDir); err != nil {
			t.Fatal(err)
		}
		if branch, commit := w.Head(); commit != "" || branch != "" && branch != "main" {
			t.Errorf("%s: HEAD is %q, %q", name, branch, commit)
		}
	}
}
