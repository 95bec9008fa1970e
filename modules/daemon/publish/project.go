// Package publish writes what other programs read: the handoff inside a
// project, the block that points to it, the person's copy and the hook
// client's fallback. With wiring it is the only code that writes outside
// Carryover's own folder.
package publish

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/carryover-go/carryover/modules/daemon/repo"
)

// Dir is Carryover's folder in a project.
const Dir = ".carryover"

// ErrUnsafe says that a project's .carryover is not ours to write: it is
// tracked by git (so its content comes from elsewhere and would be committed),
// or is reached through a link.
var ErrUnsafe = errors.New("not writing into this project")

// Project is a worktree opened for writing. Everything goes through os.Root,
// so that no link can lead a write out of it.
type Project struct {
	path string
	root *os.Root
	git  bool
}

// Open checks a worktree and opens it.
func Open(worktree string) (*Project, error) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return nil, fmt.Errorf("open project: %w", err)
	}
	p := &Project{path: worktree, root: root}
	if err := p.check(); err != nil {
		_ = root.Close()
		return nil, err
	}
	return p, nil
}

// Close releases the worktree.
func (p *Project) Close() error { return p.root.Close() }

func (p *Project) check() error {
	info, err := p.root.Lstat(Dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%w: %s in %s is not a folder", ErrUnsafe, Dir, p.path)
	}
	w, ok := repo.Find(p.path)
	p.git = ok && w.Root == p.path
	if p.git && w.Tracks(Dir+"/") {
		return fmt.Errorf("%w: git tracks files in %s of %s", ErrUnsafe, Dir, p.path)
	}
	return nil
}

// read returns a file's bytes and mode; a missing file is nil without error.
func (p *Project) read(name string) ([]byte, fs.FileMode, error) {
	info, err := p.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	data, err := p.root.ReadFile(name)
	return data, info.Mode().Perm(), err
}

// replace writes a file in one step. changed is false when it already has
// these bytes: an agent may be told of every change of a file it has loaded.
func (p *Project) replace(name string, data []byte, mode fs.FileMode) (changed bool, err error) {
	old, oldMode, err := p.read(name)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", name, err)
	}
	if old != nil && string(old) == string(data) {
		return false, nil
	}
	if old != nil {
		mode = oldMode
	}
	if name, err = p.follow(name); err != nil {
		return false, err
	}
	temporary := path.Join(path.Dir(name), "."+path.Base(name)+"."+random())
	if err := p.root.WriteFile(temporary, data, mode); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if err := errors.Join(p.root.Chmod(temporary, mode), p.root.Rename(temporary, name)); err != nil {
		_ = p.root.Remove(temporary)
		return false, fmt.Errorf("replace %s: %w", name, err)
	}
	return true, nil
}

// follow resolves a context file that is a link inside the project (CLAUDE.md
// is often one to AGENTS.md), so that the link itself survives the rename.
func (p *Project) follow(name string) (string, error) {
	for range 8 {
		info, err := p.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		target, err := p.root.Readlink(name)
		if err != nil {
			return "", err
		}
		if path.IsAbs(target) {
			return "", fmt.Errorf("%w: %s is a link to %s", ErrUnsafe, name, target)
		}
		name = path.Join(path.Dir(name), target)
	}
	return "", fmt.Errorf("%w: %s is a chain of links", ErrUnsafe, name)
}

func random() string {
	var b [6]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
