package gitrepo

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger"
)

// SameProject says of a known project whether a directory of an unknown path is it: the
// same folder reached in another way, a folder of it, one of its worktrees that is gone,
// or the folder that was moved away. It looks things up on the disk and changes nothing.
func SameProject(identity ledger.ProjectIdentity) func(known ledger.KnownProject) bool {
	info, err := os.Stat(identity.Common) // once for all that are known
	return func(known ledger.KnownProject) bool { return sameProject(known, identity, info, err) }
}

func sameProject(known ledger.KnownProject, identity ledger.ProjectIdentity, info os.FileInfo, err error) bool {
	for _, path := range known.Paths {
		switch {
		case err != nil:
			if wasWorktree(path, identity.Worktree) {
				return true
			}
		case isSameFolder(path, info), identity.Common == identity.Worktree && isFolderOf(path, identity.Worktree, known.Paths):
			return true
		}
	}
	return err == nil && wasMoved(known, identity)
}

// isSameFolder says whether a path is the same folder, as one that is mounted at two
// places is.
func isSameFolder(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// isFolderOf says whether a directory outside git lies in a known project outside git.
// A folder that has folders alone holds projects and is none.
func isFolderOf(path, dir string, known []string) bool {
	rel, err := filepath.Rel(path, dir)
	if err != nil || !filepath.IsLocal(rel) || slices.ContainsFunc(known, isRepository) || isNoProject(path) {
		return false
	}
	entries, err := os.ReadDir(path)
	return err == nil && slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		return entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".")
	})
}

// isRepository says whether a path of a project is a repository.
func isRepository(path string) bool { return filepath.Base(path) == ".git" }

// wasWorktree says whether a directory that is gone was a worktree of a repository, or
// lay in one: git still has its administrative files, or it is named after the
// repository and one of its branches, as `git worktree add ../shop-login` names it.
func wasWorktree(repository, gone string) bool {
	if !isRepository(repository) {
		return false
	}
	entries, _ := os.ReadDir(filepath.Join(repository, "worktrees"))
	for _, entry := range entries {
		admin := filepath.Join(repository, "worktrees", entry.Name())
		root := filepath.Dir(absolute(admin, readLine(filepath.Join(admin, "gitdir"))))
		if rel, err := filepath.Rel(root, gone); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	main := filepath.Dir(repository)
	for at := gone; filepath.Dir(at) != at; at = filepath.Dir(at) {
		rest, named := strings.CutPrefix(filepath.Base(at), filepath.Base(main))
		if named && filepath.Dir(at) == filepath.Dir(main) && strings.ContainsAny(rest[:min(len(rest), 1)], "-_.+@") {
			return hadBranch(repository, rest[1:])
		}
	}
	return false
}

// maxBeside bounds the folders beside a worktree that is gone that are looked at.
const maxBeside = 500

// repositoryOfGone finds the repository beside a worktree that is gone, and the top of
// the worktree: a directory that is not there may lie in one.
func repositoryOfGone(gone string) (common, root string, ok bool) {
	root = gone
	for !isThere(filepath.Dir(root)) {
		if filepath.Dir(root) == root {
			return "", "", false
		}
		root = filepath.Dir(root)
	}
	entries, err := os.ReadDir(filepath.Dir(root))
	if err != nil {
		return "", "", false
	}
	for _, entry := range entries[:min(len(entries), maxBeside)] {
		common = filepath.Join(filepath.Dir(root), entry.Name(), ".git")
		if entry.IsDir() && isThere(filepath.Join(common, "HEAD")) && wasWorktree(common, root) {
			if w, found := Find(filepath.Dir(common)); found {
				return w.Common, root, true
			}
		}
	}
	return "", "", false
}

// hadBranch says whether a repository has a branch of a name as a folder has it: of a
// branch with slashes the last word, or all with dashes.
func hadBranch(repository, name string) bool {
	is := func(branch string) bool {
		return branch != "" && (strings.ReplaceAll(branch, "/", "-") == name || branch[strings.LastIndexByte(branch, '/')+1:] == name)
	}
	w := Worktree{GitDir: repository, Common: repository}
	return slices.ContainsFunc(w.branches(), is)
}

// maxBranches bounds the branches that are listed.
const maxBranches = 10_000

// branches are the names of the local branches.
func (w Worktree) branches() (names []string) {
	heads := filepath.Join(w.Common, "refs", "heads")
	_ = filepath.WalkDir(heads, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if len(names) >= maxBranches {
			return filepath.SkipAll
		}
		rel, err := filepath.Rel(heads, path)
		if err == nil {
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	packed, err := regularfile.Read(filepath.Join(w.Common, "packed-refs"), maxPacked)
	if err != nil {
		return names
	}
	lines := bufio.NewScanner(bytes.NewReader(packed))
	for lines.Scan() && len(names) < maxBranches {
		if _, name, found := strings.Cut(lines.Text(), " refs/heads/"); found {
			names = append(names, name)
		}
	}
	return names
}

// sessionOf finds the session that a published handoff is of.
var sessionOf = regexp.MustCompile("carryover show ([0-9A-Za-z_-]{8,64})")

// maxHandoff bounds a published handoff, in bytes.
const maxHandoff = 64 << 10

// wasMoved says whether a directory is a known project whose folder is gone: it holds
// the handoff that was published of one of its sessions. What git tracks came with the
// repository and says nothing.
func wasMoved(known ledger.KnownProject, identity ledger.ProjectIdentity) bool {
	if len(known.Paths) == 0 || slices.ContainsFunc(known.Paths, isThere) {
		return false
	}
	text, err := regularfile.Read(filepath.Join(identity.Worktree, ".carryover", "handoff.md"), maxHandoff)
	if err != nil {
		return false
	}
	if w, ok := Find(identity.Worktree); ok && w.Tracks(".carryover") {
		return false
	}
	named := sessionOf.FindAllSubmatch(text, -1)
	return slices.ContainsFunc(named, func(one [][]byte) bool { return known.HasSession(string(one[1])) })
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
