package gitrepo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
)

func commit(t *testing.T, dir, file, text, subject string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", subject)
}

// conflicting is a repository whose branch "side" conflicts with main.
func conflicting(t *testing.T) string {
	t.Helper()
	dir := repository(t)
	commit(t, dir, "a.txt", "base\n", "base")
	git(t, dir, "checkout", "-q", "-b", "side")
	commit(t, dir, "a.txt", "side\n", "side")
	git(t, dir, "checkout", "-q", "main")
	commit(t, dir, "a.txt", "main\n", "main")
	return dir
}

// fails runs a git command that stops at a conflict.
func fails(t *testing.T, dir string, args ...string) {
	t.Helper()
	if gitFails(dir, args...) == nil {
		t.Fatalf("git %v met no conflict", args)
	}
}

func TestUnderWay_IsWhatGitLeft(t *testing.T) {
	for name, test := range map[string]struct {
		begin        []string
		what, branch string
	}{
		"nothing":     {nil, "", ""},
		"merge":       {[]string{"merge", "side"}, "merge", ""},
		"cherry-pick": {[]string{"cherry-pick", "side"}, "cherry-pick", ""},
		"rebase":      {[]string{"rebase", "side"}, "rebase", "main"},
		"old rebase":  {[]string{"rebase", "--apply", "side"}, "rebase", "main"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := conflicting(t)
			if test.begin != nil {
				fails(t, dir, test.begin...)
			}
			if what, branch := find(t, dir).UnderWay(); what != test.what || branch != test.branch {
				t.Errorf("under way: %q of %q, want %q of %q", what, branch, test.what, test.branch)
			}
		})
	}
}

// What is under way in one worktree is not in another.
func TestUnderWay_IsOfOneWorktree(t *testing.T) {
	dir := conflicting(t)
	linked := dir + "-linked"
	git(t, dir, "worktree", "add", "-q", linked, "side")
	t.Cleanup(func() { _ = os.RemoveAll(linked) })
	fails(t, linked, "merge", "main")
	if what, _ := find(t, linked).UnderWay(); what != "merge" {
		t.Errorf("in the linked worktree: %q", what)
	}
	if what, _ := find(t, dir).UnderWay(); what != "" {
		t.Errorf("in the main one: %q", what)
	}
}

func TestSince_TellsTheWayOfHEAD(t *testing.T) {
	dir := repository(t)
	from := git(t, dir, "rev-parse", "HEAD")
	began := time.Now().Add(-time.Minute)
	check := func(what, subjects, other string) {
		t.Helper()
		since := find(t, dir).Since(from)
		var got []string
		for _, c := range since.Commits {
			_, subject, _ := strings.Cut(c, " ")
			got = append(got, subject)
		}
		if !since.Known || strings.Join(got, ", ") != subjects || since.Other != other {
			t.Errorf("%s: %+v, want %q and %q", what, since, subjects, other)
		}
	}
	check("nothing", "", "")
	commit(t, dir, "a.txt", "1", "one")
	commit(t, dir, "a.txt", "2", "two")
	check("two commits", "two, one", "")
	git(t, dir, "commit", "-q", "--amend", "-m", "two again")
	check("an amended commit", "two again, one", "")
	git(t, dir, "reset", "-q", "--hard", "HEAD~1")
	check("a reset", "one", "reset")
	w := find(t, dir)
	if made := w.MadeSince(began); len(made) != 2 || !strings.HasSuffix(made[0], " one") {
		t.Errorf("made since the beginning: %q", made) // the empty first one is among them
	}
	if made := w.MadeSince(time.Now().Add(time.Hour)); len(made) != 0 {
		t.Errorf("made in the future: %q", made)
	}
	for _, bad := range []string{"", "abc", "--help", strings.Repeat("0", 39) + "1"} {
		if since := w.Since(bad); since.Known {
			t.Errorf("%q is known: %+v", bad, since)
		}
	}
	if err := os.Remove(filepath.Join(w.GitDir, "logs", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if since := w.Since(from); since.Known || len(since.Commits) > 0 {
		t.Errorf("without a reflog: %+v", since)
	}
}

// However long the reflog is, only its end is read.
func TestMoves_ReadTheEndOfALongReflog(t *testing.T) {
	dir := repository(t)
	log := filepath.Join(dir, ".git", "logs", "HEAD")
	line := strings.Repeat("a", 40) + " " + strings.Repeat("b", 40) + " dev <dev@example.org> 1763769600 +0000\tcommit: one more\n"
	if err := os.WriteFile(log, []byte(strings.Repeat(line, 20_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	moves := find(t, dir).Moves()
	if len(moves) < 100 || len(moves) > 1000 {
		t.Errorf("%d moves", len(moves))
	}
	if m := moves[0]; m.Action != "commit" || m.Subject != "one more" || m.Time.Unix() != 1763769600 {
		t.Errorf("a move is %+v", m)
	}
	var none gitrepo.Worktree
	if len(none.Moves()) > 0 {
		t.Error("no worktree has moves")
	}
}
