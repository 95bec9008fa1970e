// Package projectfs is the one way in which files below a project are read for
// change, written and removed. A project is hostile until shown otherwise: its
// files may come from a repository. Every folder on the way to a file is opened
// by itself and compared with what was looked at, so that no link, submodule or
// exchange leads anywhere else.
package projectfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
)

// Folder is Carryover's folder in a project.
const Folder = ".carryover"

// Project is a folder opened for writing.
type Project struct {
	path string
	root *os.Root
	tree gitrepo.Worktree
	git  bool // it lies in a worktree
}

// Open opens a project and refuses one whose Folder comes from elsewhere.
func Open(dir string) (*Project, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	p := &Project{path: dir, root: root}
	p.tree, p.git = gitrepo.Find(dir)
	if err := p.checkFolder(); err != nil {
		_ = root.Close()
		return nil, err
	}
	return p, nil
}

// Close releases the project.
func (p *Project) Close() error { return p.root.Close() }

// Path is the folder that was opened.
func (p *Project) Path() string { return p.path }

// IsWorktree says whether the project is the top of a git worktree.
func (p *Project) IsWorktree() bool { return p.git && same(p.tree.Root, p.path) }

// checkFolder refuses a Folder that is a link, of another user, a submodule, or
// tracked: what is in it would be committed, or is not what Carryover wrote.
func (p *Project) checkFolder() error {
	if p.git && p.tracks() {
		return p.refuse(Folder, Tracked)
	}
	dir, err := p.enter(p.root, ".", Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return dir.Close()
}

// tracks says whether the index of the worktree has Folder: as a submodule, a
// file or a folder.
func (p *Project) tracks() bool {
	inside, err := filepath.Rel(p.tree.Root, real(p.path))
	return err != nil || p.tree.Tracks(path.Join(filepath.ToSlash(inside), Folder))
}

func (p *Project) refuse(name string, reason Reason) error {
	return &Refusal{Project: p.path, Path: name, Reason: reason}
}

// parent opens the folder of a file, one step at a time. The caller closes it.
func (p *Project) parent(name string) (*os.Root, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, p.refuse(name, Outside)
	}
	at, err := p.root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	way := "."
	for _, step := range steps(path.Dir(name)) {
		next, err := p.enter(at, way, step)
		_ = at.Close()
		if err != nil {
			return nil, err
		}
		at, way = next, path.Join(way, step)
	}
	if isGit(path.Base(name)) {
		_ = at.Close()
		return nil, p.refuse(name, Git)
	}
	return at, nil
}

// enter opens a folder in one that is open. way is where that one is.
func (p *Project) enter(at *os.Root, way, step string) (*os.Root, error) {
	name := path.Join(way, step)
	seen, err := at.Lstat(step)
	if err != nil {
		return nil, err
	}
	if reason := p.folderReason(name, seen); reason != "" {
		return nil, p.refuse(name, reason)
	}
	next, err := at.OpenRoot(step)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	if reason := opened(next, seen); reason != "" {
		_ = next.Close()
		return nil, p.refuse(name, reason)
	}
	return next, nil
}

// folderReason is why a folder is not entered, "" if it may be.
func (p *Project) folderReason(name string, seen fs.FileInfo) Reason {
	switch {
	case seen.Mode()&fs.ModeSymlink != 0:
		return Link
	case !seen.IsDir():
		return NotFolder
	case foreign(seen):
		return Foreign
	case isGit(path.Base(name)) || p.insideGit(name):
		return Git
	}
	return ""
}

// opened is why a folder that was opened is left again, "" if it is good.
func opened(folder *os.Root, seen fs.FileInfo) Reason {
	if info, err := folder.Stat("."); err != nil || !os.SameFile(info, seen) {
		return Exchanged
	}
	if _, err := folder.Lstat(".git"); !errors.Is(err, fs.ErrNotExist) {
		return Submodule
	}
	return ""
}

// insideGit says whether a path of the project lies in the repository's own
// folder, whatever its name is.
func (p *Project) insideGit(name string) bool {
	if !p.git {
		return false
	}
	whole := filepath.Join(real(p.path), filepath.FromSlash(name))
	for _, dir := range []string{p.tree.GitDir, p.tree.Common} {
		if inside, err := filepath.Rel(real(dir), whole); err == nil && filepath.IsLocal(inside) {
			return true
		}
	}
	return false
}

// isGit knows the name also where letter case does not count.
func isGit(step string) bool { return strings.EqualFold(step, ".git") }

func steps(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// real is a path without links, or as it stands.
func real(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return filepath.Clean(path)
}

func same(a, b string) bool { return a == b || real(a) == real(b) }
