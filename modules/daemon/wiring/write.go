package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// maxSettings bounds a settings file, in bytes.
const maxSettings = 64 << 20

// errWritten says that a file is not what it was when the change was planned.
var errWritten = errors.New("the settings file is being written by another program; try again")

// readSettings is a settings file's bytes, nil where there is none.
func readSettings(path string) ([]byte, error) {
	data, err := regularfile.Read(path, maxSettings+1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil { // writing would put a file in place of the link
			return nil, fmt.Errorf("%w: %s links to a missing file", ErrRefused, path)
		}
		return nil, nil
	case errors.Is(err, regularfile.ErrNotRegular):
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	case err != nil:
		return nil, fmt.Errorf("read settings: %w", err)
	case len(data) > maxSettings:
		return nil, fmt.Errorf("%w: %s has more than 64 MiB", ErrRefused, path)
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// unwritten fails with errWritten when the file does not hold what it held
// before.
func unwritten(path string, before []byte) error {
	now, err := readSettings(path)
	if err != nil {
		return err
	}
	if (now == nil) != (before == nil) || !bytes.Equal(now, before) {
		return errWritten
	}
	return nil
}

// write replaces the file in one step and keeps its mode; a link (dotfiles
// kept in a repository) stays a link, and its target changes. A file with other
// hard links is written in place, so that they stay one. before is what the
// change was made from: a file that another program wrote since is left alone.
func write(path string, before, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := writable(path); err != nil {
		return err
	}
	mode, linked := fs.FileMode(0o600), false
	if info, err := os.Stat(path); err == nil {
		mode, linked = info.Mode().Perm(), hasLinks(info)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make settings folder: %w", err)
	}
	if !linked {
		return replace(path, before, data, mode)
	}
	if err := unwritten(path, before); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, mode); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
