package db

import (
	"net/url"
	"path/filepath"
	"strings"
)

// journalLimit is how large the write-ahead log may stay, in bytes, after a
// long transaction has blown it up.
const journalLimit = "67108864"

// pragmas of the writing connection, in this order: auto_vacuum is silently
// left off when it comes after journal_mode. The busy timeout, in
// milliseconds, is for the moments a reader holds up a checkpoint. Checkpoints
// come every 16 MiB (4,000 pages): an import changes the same pages of the
// indexes over and over.
var pragmas = []string{
	"auto_vacuum(incremental)",
	"journal_mode(WAL)",
	"synchronous(NORMAL)",
	"busy_timeout(5000)",
	"secure_delete(on)",
	"journal_size_limit(" + journalLimit + ")",
	"wal_autocheckpoint(4000)",
	"cache_size(-16000)",
	"temp_store(memory)",
}

func writeDSN(path string) string {
	query := make([]string, len(pragmas), len(pragmas)+1)
	for i, pragma := range pragmas {
		query[i] = "_pragma=" + url.QueryEscape(pragma)
	}
	return fileURI(path) + "?" + strings.Join(append(query, "_txlock=immediate"), "&")
}

// readDSN has mode=ro and nothing else. Only together with file: does SQLite
// heed it; without, or with query_only instead, the last reader to leave
// deletes the write-ahead log of a writer that was killed.
func readDSN(path string) string {
	return fileURI(path) + "?mode=ro"
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}
