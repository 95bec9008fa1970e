// Package regularfile opens files that others may have put in place: it never
// waits for a FIFO or a device, and reads no more than was asked for.
package regularfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrNotRegular says that something else than a file stands at the path.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading, following links. The check is made on
// what was opened, so that nothing can be exchanged between the two.
func Open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|NonBlocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: %w", path, ErrNotRegular)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Read returns at most limit bytes from the beginning of a regular file.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, limit))
}

// maxOwn bounds a file of ours, in bytes: the largest are hooks that wait in the spool,
// with a payload of at most 8 MiB.
const maxOwn = 32 << 20

// ReadOwn returns a file of our own folder, which a fault or somebody with the same
// rights may have exchanged for something that never ends.
func ReadOwn(path string) ([]byte, error) { return Read(path, maxOwn) }
