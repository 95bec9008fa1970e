// Package publish writes what other programs read: the handoff inside a
// project, the block that points to it, the person's copy and the hook
// client's fallback. With wiring it is the only code that writes outside
// Carryover's own folder; what it writes into a project goes through projectfs.
package publish

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/projectfs"
)

// Dir is Carryover's folder in a project.
const Dir = projectfs.Folder

// ErrUnsafe is the kind of errors that say what in a project is not Carryover's
// to write, and why (projectfs.Refusal).
var ErrUnsafe = projectfs.ErrRefused

// Refusal is such an error: what is left alone, and why.
type Refusal = projectfs.Refusal

// Project is a worktree opened for writing.
type Project struct {
	files *projectfs.Project
}

// Open checks a worktree and opens it.
func Open(worktree string) (*Project, error) {
	files, err := projectfs.Open(worktree)
	if err != nil {
		return nil, err
	}
	return &Project{files: files}, nil
}

// Close releases the worktree.
func (p *Project) Close() error { return p.files.Close() }

// read returns a file's bytes; a missing file is nil without error. A file
// outside Dir may be a link inside the project.
func (p *Project) read(name string) ([]byte, error) {
	name, err := p.follow(name)
	if err != nil {
		return nil, err
	}
	data, _, err := p.files.Read(name)
	return data, err
}

// replace writes a file in one step, when its bytes change.
func (p *Project) replace(name string, data []byte, mode fs.FileMode) (changed bool, err error) {
	if name, err = p.follow(name); err != nil {
		return false, err
	}
	return p.files.Replace(name, data, mode)
}

// remove removes a file, or what a link inside the project leads to.
func (p *Project) remove(name string) error {
	name, err := p.follow(name)
	if err != nil {
		return err
	}
	return p.files.Remove(name)
}

// follow resolves a context file that is a link; below Dir there is none.
func (p *Project) follow(name string) (string, error) {
	if inDir(name) {
		return name, nil
	}
	resolved, err := p.files.Resolve(name)
	if err == nil && resolved != name && inDir(resolved) {
		return "", &projectfs.Refusal{Project: p.files.Path(), Path: name, Reason: projectfs.Link}
	}
	return resolved, err
}

func inDir(name string) bool { return strings.HasPrefix(name, Dir+"/") }

// refused says that something is left alone, which is no failure where it is
// not needed.
func refused(err error) bool { return errors.Is(err, ErrUnsafe) }
