// Package sqlitesource reads what is new in a SQLite database that an agent
// writes. It opens the database read-only, with the write-ahead log that a
// running agent keeps beside it, and changes neither.
package sqlitesource

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// magic begins every database file.
const magic = "SQLite format 3\x00"

// log is added to a database's name for its write-ahead log.
const log = "-wal"

// Is says that a file is a database. One that was just made may still be empty,
// with all of it in the log.
func Is(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(magic))
	n, err := io.ReadFull(f, head)
	if n == 0 && errors.Is(err, io.EOF) {
		_, err := os.Stat(path + log)
		return err == nil
	}
	return err == nil && bytes.Equal(head, []byte(magic))
}

// Main is the database that a file belongs to: itself, unless it is a log or
// the index of one.
func Main(path string) string {
	for _, end := range []string{log, "-shm"} {
		if main, ok := strings.CutSuffix(path, end); ok {
			return main
		}
	}
	return path
}

// Stat is the size of a database with its log, and when either was written last.
func Stat(path string) (size int64, modified time.Time, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("look at database: %w", err)
	}
	size, modified = info.Size(), info.ModTime()
	switch beside, err := os.Stat(path + log); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return 0, time.Time{}, fmt.Errorf("look at database: %w", err)
	default:
		size += beside.Size()
		if beside.ModTime().After(modified) {
			modified = beside.ModTime()
		}
	}
	return size, modified.UTC(), nil
}

// dsn opens a database for reading and nothing else. SQLite heeds mode=ro only
// after file:; anything more, and the last to leave deletes the log of an agent
// that was killed.
func dsn(path string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?mode=ro"
}
