package gitrepo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/ledger"
)

// knownAs is what the ledger knows of the project of a directory.
func knownAs(t *testing.T, dir string, sessions ...string) ledger.KnownProject {
	t.Helper()
	identity, _ := gitrepo.Identity(dir)
	return ledger.KnownProject{Paths: []string{identity.Common, identity.Worktree}, HasSession: func(prefix string) bool {
		for _, id := range sessions {
			if len(prefix) <= len(id) && id[:len(prefix)] == prefix {
				return true
			}
		}
		return false
	}}
}

func isSame(t *testing.T, known ledger.KnownProject, dir string) bool {
	t.Helper()
	identity, ok := gitrepo.Identity(dir)
	return ok && gitrepo.SameProject(identity)(known)
}

func TestSameProject_KnowsAWorktreeThatIsGone(t *testing.T) {
	dir := repository(t)
	known := knownAs(t, dir)
	for name, away := range map[string]func(at string) error{
		"deleted": os.RemoveAll,
		"removed": func(at string) error { git(t, dir, "worktree", "remove", "--force", at); return nil },
	} {
		at := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-"+name)
		git(t, dir, "worktree", "add", "-q", "-b", "feature/"+name, at)
		if err := away(at); err != nil {
			t.Fatal(err)
		}
		if !isSame(t, known, at) || !isSame(t, known, filepath.Join(at, "sub")) {
			t.Errorf("a worktree that was %s is of another project", name)
		}
	}
	for _, other := range []string{filepath.Base(dir) + "-other", filepath.Base(dir), "other-deleted"} {
		if isSame(t, known, filepath.Join(filepath.Dir(dir), "x", other)) {
			t.Errorf("%s is of the project", other)
		}
	}
	if isSame(t, known, filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-nobranch")) {
		t.Error("a folder of no branch's name is of the project")
	}
}

func TestSameProject_KnowsAFolderReachedInAnotherWay(t *testing.T) {
	dir := repository(t)
	known := knownAs(t, dir)
	known.Paths = []string{filepath.Join(t.TempDir(), "mounted")} // another path of the same folder
	if err := os.Symlink(filepath.Join(dir, ".git"), known.Paths[0]); err != nil {
		t.Fatal(err)
	}
	if !isSame(t, known, dir) || isSame(t, known, repository(t)) {
		t.Error("the same folder is not told from another one")
	}
}

func TestSameProject_KnowsAFolderOfAProjectOutsideGit(t *testing.T) {
	holder := t.TempDir()
	notes, inner := filepath.Join(holder, "notes"), filepath.Join(holder, "notes", "2026")
	if err := os.MkdirAll(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if isSame(t, knownAs(t, notes), inner) {
		t.Error("a folder that holds folders alone is a project")
	}
	if err := os.WriteFile(filepath.Join(notes, "index.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !isSame(t, knownAs(t, notes), inner) || isSame(t, knownAs(t, inner), notes) {
		t.Error("a folder of a project is not in it")
	}
	if isSame(t, knownAs(t, repository(t)), inner) {
		t.Error("a repository holds it")
	}
}

func TestSameProject_KnowsAProjectThatWasMoved(t *testing.T) {
	const session = "11111111-0000-4000-8000-000000000001"
	was := filepath.Join(filepath.Dir(repository(t)), "was")
	if err := os.Mkdir(was, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, was, "init", "-q")
	known := knownAs(t, was, session)
	now := was + "-now"
	if err := os.Rename(was, now); err != nil {
		t.Fatal(err)
	}
	if isSame(t, known, now) {
		t.Error("nothing shows that it is the same")
	}
	handoff := filepath.Join(now, ".carryover", "handoff.md")
	if err := os.Mkdir(filepath.Dir(handoff), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(handoff, []byte("See: .carryover/ledger.md · carryover show 11111111 · ~"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !isSame(t, known, now) || isSame(t, knownAs(t, was, "2222"), now) {
		t.Error("the published handoff does not show whose it is")
	}
	if err := os.Mkdir(was, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, was, "init", "-q")
	if isSame(t, known, now) {
		t.Error("a copy is the project, which is still there")
	}
	if err := os.RemoveAll(was); err != nil {
		t.Fatal(err)
	}
	git(t, now, "add", "-f", ".carryover")
	if isSame(t, known, now) {
		t.Error("a handoff that came with the repository shows it")
	}
}
