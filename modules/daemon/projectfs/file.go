package projectfs

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// maxFile bounds a file that is read, in bytes.
const maxFile = 64 << 20

// Read returns a file's bytes and mode; a missing file is nil without an error.
func (p *Project) Read(name string) ([]byte, fs.FileMode, error) {
	root, err := p.parent(name)
	if err != nil {
		return nil, 0, absent(err)
	}
	defer func() { _ = root.Close() }()
	seen, err := p.look(root, name)
	if err != nil || seen == nil {
		return nil, 0, err
	}
	file, err := root.OpenFile(path.Base(name), os.O_RDONLY|regularfile.NonBlocking, 0)
	if err != nil {
		return nil, 0, absent(err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !os.SameFile(info, seen) {
		return nil, 0, p.refuse(name, Exchanged)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = p.refuse(name, TooLarge)
	}
	return data, seen.Mode().Perm(), err
}

// look says what stands at a name: nil for nothing, a refusal for anything but
// a file of ours that has no other name.
func (p *Project) look(root *os.Root, name string) (fs.FileInfo, error) {
	info, err := root.Lstat(path.Base(name))
	if err != nil {
		return nil, absent(err)
	}
	reason := Reason("")
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		reason = Link
	case !info.Mode().IsRegular():
		reason = NotRegular
	case foreign(info):
		reason = Foreign
	case names(info) > 1:
		reason = HardLink
	case p.insideGit(name):
		reason = Git
	}
	if reason != "" {
		return nil, p.refuse(name, reason)
	}
	return info, nil
}

// Replace writes a file in one step, with a mode for one that is new. changed is
// false when it already has these bytes: an agent may be notified of every change of
// a file it has loaded.
func (p *Project) Replace(name string, data []byte, mode fs.FileMode) (changed bool, err error) {
	old, oldMode, err := p.Read(name)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", name, err)
	}
	if old != nil {
		if string(old) == string(data) {
			return false, nil
		}
		mode = oldMode
	}
	root, err := p.parent(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }()
	if err := put(root, path.Base(name), data, mode); err != nil {
		return false, fmt.Errorf("replace %s: %w", name, err)
	}
	return true, nil
}

// put writes a file beside the one it replaces and renames it.
func put(root *os.Root, base string, data []byte, mode fs.FileMode) error {
	temporary := "." + base + "." + random()
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Chmod(mode), file.Close())
	if err == nil {
		err = root.Rename(temporary, base)
	}
	if err != nil {
		_ = root.Remove(temporary)
	}
	return err
}

// Remove removes a file; one that is not there is no error.
func (p *Project) Remove(name string) error {
	root, err := p.parent(name)
	if err != nil {
		return absent(err)
	}
	defer func() { _ = root.Close() }()
	if info, err := p.look(root, name); err != nil || info == nil {
		return err
	}
	return absent(root.Remove(path.Base(name)))
}

// RemoveEmpty removes a folder with the folders below it, as far as they are
// empty.
func (p *Project) RemoveEmpty(folder string) error {
	inside, err := p.parent(path.Join(folder, "any"))
	if err != nil {
		return absent(err)
	}
	entries, err := fs.ReadDir(inside.FS(), ".")
	_ = inside.Close()
	left := 0
	for _, entry := range entries {
		if left++; entry.IsDir() {
			err = errors.Join(err, p.RemoveEmpty(path.Join(folder, entry.Name())))
			if _, gone := p.root.Lstat(path.Join(folder, entry.Name())); errors.Is(gone, fs.ErrNotExist) {
				left--
			}
		}
	}
	if err != nil || left > 0 {
		return err
	}
	root, err := p.parent(folder)
	if err != nil {
		return absent(err)
	}
	defer func() { _ = root.Close() }()
	return absent(root.Remove(path.Base(folder)))
}

// Make makes a folder below Folder, with those on the way to it.
func (p *Project) Make(name string) error {
	root, way := p.root, "."
	for _, step := range steps(name) {
		if err := root.Mkdir(step, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make %s: %w", path.Join(way, step), err)
		}
		next, err := p.enter(root, way, step)
		if err != nil {
			return err
		}
		defer func() { _ = next.Close() }()
		root, way = next, path.Join(way, step)
	}
	return nil
}

// Files are the names of the files in a folder and below it. What is refused is
// in the error, beside what could be listed.
func (p *Project) Files(folder string) ([]string, error) {
	root, err := p.parent(path.Join(folder, "any"))
	if err != nil {
		return nil, absent(err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	_ = root.Close()
	errs := []error{err}
	var list []string
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if !entry.IsDir() {
			list = append(list, name)
			continue
		}
		below, err := p.Files(name)
		list, errs = append(list, below...), append(errs, err)
	}
	return list, errors.Join(errs...)
}

// Info says what a file is; nil where there is none.
func (p *Project) Info(name string) (fs.FileInfo, error) {
	root, err := p.parent(name)
	if err != nil {
		return nil, absent(err)
	}
	defer func() { _ = root.Close() }()
	return p.look(root, name)
}

// Resolve follows the links of a context file (CLAUDE.md is often one to
// AGENTS.md) to a name inside the project, so that the link itself survives.
func (p *Project) Resolve(name string) (string, error) {
	for range 8 {
		root, err := p.parent(name)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return name, nil
			}
			return "", err
		}
		info, err := root.Lstat(path.Base(name))
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			_ = root.Close()
			return name, absent(err)
		}
		target, err := root.Readlink(path.Base(name))
		_ = root.Close()
		if err != nil {
			return "", err
		}
		next := path.Join(path.Dir(name), target)
		if path.IsAbs(target) || next == ".." || strings.HasPrefix(next, "../") {
			return "", p.refuse(name, Outside)
		}
		name = next
	}
	return "", p.refuse(name, Link)
}

func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func random() string {
	var b [6]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
