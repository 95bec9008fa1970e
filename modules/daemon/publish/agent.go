package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Agent writes a file of a named agent below .carryover, after making sure that
// git will not see it.
func (p *Project) Agent(name string, data []byte, ignore Ignore) error {
	if err := p.hide(ignore); err != nil {
		return err
	}
	name = path.Join(Dir, name)
	folder := Dir
	for _, part := range strings.Split(strings.TrimPrefix(path.Dir(name), Dir+"/"), "/") {
		folder = path.Join(folder, part)
		if err := p.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make %s: %w", folder, err)
		}
		if info, err := p.root.Lstat(folder); err != nil || !info.IsDir() {
			return fmt.Errorf("%w: %s is not a folder", ErrUnsafe, folder)
		}
	}
	_, err := p.replace(name, data, 0o600)
	return err
}

// RemoveAgent removes files of a named agent; those that are not there are no
// error.
func (p *Project) RemoveAgent(names ...string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, p.root.RemoveAll(path.Join(Dir, name)))
	}
	return errors.Join(errs...)
}

// Outbox makes the folder in which agents leave what they cannot print.
func (p *Project) Outbox() error {
	if err := p.hide(IgnoreInner); err != nil {
		return err
	}
	if err := p.root.Mkdir(Dir+"/outbox", 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make outbox: %w", err)
	}
	return nil
}
