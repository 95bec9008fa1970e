// Package gitrepo reads what it needs to know of a git repository from its files.
// It runs no git command: a hostile repository can make `git status` execute
// its filters.
package gitrepo

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
)

// maxSmall bounds the files read here; refs and HEAD are one line each.
const maxSmall = 64 << 10

// maxPacked bounds the packed refs that are looked through, in bytes.
const maxPacked = 64 << 20

// Worktree is one checkout of a repository.
type Worktree struct {
	Root   string // folder with the .git entry
	GitDir string // its own git directory
	Common string // git directory shared by all worktrees of the repository
}

// Find looks for the worktree that holds dir. ok is false outside git, and
// where .git names a repository that knows nothing of it.
func Find(dir string) (w Worktree, ok bool) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if w, found, own := open(at); found {
			return w, own
		}
		if filepath.Dir(at) == at {
			return Worktree{}, false
		}
	}
}

// open says whether a folder is the top of a worktree, and whether the
// repository that it names is its own.
func open(root string) (w Worktree, found, own bool) {
	entry := filepath.Join(root, ".git")
	info, err := os.Lstat(entry)
	if err != nil {
		return Worktree{}, false, false
	}
	w = Worktree{Root: root, GitDir: entry, Common: entry}
	if info.Mode().IsRegular() { // a linked worktree or a submodule
		target, found := strings.CutPrefix(readLine(entry), "gitdir: ")
		if !found {
			return Worktree{}, false, false
		}
		w.GitDir = absolute(root, target)
		w.Common = w.GitDir
	}
	if _, err := os.Stat(filepath.Join(w.GitDir, "HEAD")); err != nil {
		return Worktree{}, false, false
	}
	if line := readLine(filepath.Join(w.GitDir, "commondir")); line != "" {
		w.Common = absolute(w.GitDir, line)
	}
	if !w.pointsBack(info.IsDir()) {
		return Worktree{}, true, false
	}
	return w, true, true
}

// Head is the branch checked out ("" when detached) and its commit.
func (w Worktree) Head() (branch, commit string) {
	line := readLine(filepath.Join(w.GitDir, "HEAD"))
	ref, symbolic := strings.CutPrefix(line, "ref: ")
	if !symbolic {
		return "", hash(line)
	}
	if !isRef(ref) {
		return "", ""
	}
	branch = redact.Text(strings.TrimPrefix(ref, "refs/heads/")) // it is kept, compared and shown
	for _, dir := range []string{w.GitDir, w.Common} {
		if commit := hash(readLine(filepath.Join(dir, filepath.FromSlash(ref)))); commit != "" {
			return branch, commit
		}
	}
	return branch, w.packed(ref)
}

func (w Worktree) packed(ref string) string {
	f, err := regularfile.Open(filepath.Join(w.Common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(io.LimitReader(f, maxPacked))
	for lines.Scan() {
		if commit, name, found := strings.Cut(lines.Text(), " "); found && name == ref {
			return hash(commit)
		}
	}
	return ""
}

// Checkout is what git's files say of a directory, read once.
type Checkout struct {
	Worktree
	Found  bool   // the directory lies in a repository
	Branch string // "" when HEAD is detached
	Commit string // "" before the first commit

	dir string
}

// Look reads what git's files say of a directory.
func Look(dir string) Checkout {
	c := Checkout{dir: dir}
	if dir == "" || !filepath.IsAbs(dir) {
		return c
	}
	if c.Worktree, c.Found = Find(dir); c.Found {
		c.Branch, c.Commit = c.Head()
	}
	return c
}

// Identity is the project that the directory belongs to: its repository, or the
// directory itself outside git. ok is false for places that are nobody's project:
// the root, the home folder and the temporary folder themselves, even under git.
func (c Checkout) Identity() (identity ledger.ProjectIdentity, ok bool) {
	if c.dir == "" || !filepath.IsAbs(c.dir) {
		return ledger.ProjectIdentity{}, false
	}
	identity = ledger.ProjectIdentity{Common: filepath.Clean(c.dir), Worktree: filepath.Clean(c.dir)}
	if c.Found {
		identity = ledger.ProjectIdentity{Common: c.Common, Worktree: c.Root}
	} else if real, err := filepath.EvalSymlinks(c.dir); err == nil {
		identity = ledger.ProjectIdentity{Common: real, Worktree: real}
	} else if common, root, ok := repositoryOfGone(identity.Worktree); ok {
		identity = ledger.ProjectIdentity{Common: common, Worktree: root}
	}
	return identity, !isNoProject(identity.Worktree)
}

// Identity is the project that dir belongs to, as Checkout.Identity has it.
func Identity(dir string) (identity ledger.ProjectIdentity, ok bool) {
	c := Checkout{dir: dir}
	if filepath.IsAbs(dir) {
		c.Worktree, c.Found = Find(dir)
	}
	return c.Identity()
}

func isNoProject(dir string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	user, _ := os.UserHomeDir()
	for _, shared := range []string{user, os.TempDir()} {
		if real, err := filepath.EvalSymlinks(shared); err == nil {
			shared = real
		}
		if shared != "" && dir == shared {
			return true
		}
	}
	return false
}

func absolute(base, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// readLine is the first line of a small file, "" when it cannot be read. What
// is no regular file is not waited for.
func readLine(path string) string {
	data, err := regularfile.Read(path, maxSmall)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}

// isRef says whether a text is the name of a ref as git allows one
// (git-check-ref-format): no control characters, spaces or patterns.
func isRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && fs.ValidPath(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || unicode.IsControl(r) || strings.ContainsRune(`~^:?*[\`, r) })
}

// hash is the name of a commit, or "": a ref may be a link to any file.
func hash(line string) string {
	if !isHash(line) {
		return ""
	}
	return line
}
