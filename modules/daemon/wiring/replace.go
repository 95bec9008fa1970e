package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errNoExchange says that two files cannot be exchanged in one step here.
var errNoExchange = errors.New("files cannot be exchanged")

// replace puts data in the place of a file that holds before, in one step. Where
// the system can exchange two files, a write of another program in the last
// moment is seen in what was exchanged, and put back: nothing of it is lost.
func replace(path string, before, data []byte, mode fs.FileMode) (err error) {
	beside, err := prepared(path, data, mode)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(beside) }()
	if err := unwritten(path, before); err != nil {
		return err
	}
	if before == nil {
		return rename(beside, path)
	}
	err = exchange(beside, path)
	if errors.Is(err, errNoExchange) {
		return rename(beside, path)
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	out, err := os.ReadFile(beside)
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if bytes.Equal(out, before) {
		return nil
	}
	return putBack(beside, path, out, data)
}

// putBack exchanges the files again: beside holds theirs, what another program
// wrote in the last moment, and path ours. That program may write once more
// meanwhile.
func putBack(beside, path string, theirs, ours []byte) error {
	for range maxTries {
		if err := exchange(beside, path); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
		out, err := os.ReadFile(beside)
		if err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
		if bytes.Equal(out, ours) || bytes.Equal(out, theirs) {
			return errWritten
		}
		theirs, ours = out, theirs // a newer one came out: it goes in again
	}
	return errWritten
}

// removeUnwritten removes a file that holds before.
func removeUnwritten(path string, before []byte) error {
	if err := unwritten(path, before); err != nil {
		return err
	}
	beside, err := prepared(path, nil, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(beside) }()
	if err := os.Rename(path, beside); err != nil {
		return fmt.Errorf("remove settings file: %w", err)
	}
	if out, err := os.ReadFile(beside); err != nil || bytes.Equal(out, before) {
		return err
	}
	// It was written in the last moment. A link does not take the place of what
	// may have been written since.
	if err := os.Link(beside, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("remove settings file: %w", err)
	}
	return errWritten
}

// prepared is a new file in the folder of another one, with its bytes on the
// disk.
func prepared(path string, data []byte, mode fs.FileMode) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".carryover-*")
	if err != nil {
		return "", fmt.Errorf("write settings: %w", err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", fmt.Errorf("write settings: %w", err)
	}
	return file.Name(), nil
}

func rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
