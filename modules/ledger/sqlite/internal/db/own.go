package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/pages"
)

// logKey is the row of meta that ties the write-ahead log to the file. SQLite takes any
// log that lies beside a file and moves it in. The row is written once into each log:
// a name of the log made by chance, and that of the log before it.
const logKey = "write-ahead log"

var logNames = regexp.MustCompile(`^([0-9a-f]{16}) ([0-9a-f]{16})?$`)

// ErrForeignLog says that the write-ahead log beside a file is that of another ledger, or
// of an earlier time.
var ErrForeignLog = fmt.Errorf("%w: its write-ahead log is that of another ledger or of an earlier time", ledger.ErrCorrupt)

// Own fails with ledger.ErrCorrupt when what stands in the place of the file or of its log
// is no file, and when the log is not that of the file. It comes before SQLite opens them.
func Own(path string) error {
	for _, end := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + end)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			return fmt.Errorf("%w: %s stands in the place of %s", ledger.ErrCorrupt, kindOf(info.Mode()), filepath.Base(path)+end)
		}
	}
	if !logFits(path) {
		return ErrForeignLog
	}
	return nil
}

// HasForeignLog says that the log beside a file is not its own.
func HasForeignLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && (!info.Mode().IsRegular() || !logFits(path))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// logFits says whether the log beside a file can be its own. The file names the log of
// which the newest pages were moved into it: that one, or the next. A log or a file
// without a name is of an earlier version, or was cut off before it had one.
func logFits(path string) bool {
	if isEmpty(path + "-wal") {
		return true
	}
	inFile := logNames.FindStringSubmatch(nameInFile(path))
	if inFile == nil {
		return true
	}
	named := false
	for _, text := range pages.LogTexts(path+"-wal", logKey) {
		inLog := logNames.FindStringSubmatch(text)
		if inLog == nil {
			continue
		}
		if inLog[1] == inFile[1] || !named && inLog[2] == inFile[1] {
			return true
		}
		named = true
	}
	return !named
}

// nameInFile is what the file says by itself, without its log; "" where it does not.
func nameInFile(path string) (text string) {
	pool, err := sql.Open("sqlite", readDSN(path)+"&immutable=1")
	if err != nil {
		return ""
	}
	defer func() { _ = pool.Close() }()
	if pool.QueryRow("SELECT value FROM meta WHERE key = ?", logKey).Scan(&text) != nil {
		return ""
	}
	return text
}

// nameLog writes the name of the log into it when a new one began since it was last
// called. A process that is killed before leaves a log without one, which fits any file.
func (f *File) nameLog(ctx context.Context) error {
	salts := logSalts(f.path + "-wal")
	if salts == "" || salts == f.log {
		return nil
	}
	var fresh [8]byte
	if _, err := rand.Read(fresh[:]); err != nil {
		return err
	}
	err := f.inTx(ctx, func(tx *sql.Tx) error {
		var before string
		err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", logKey).Scan(&before)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if names := logNames.FindStringSubmatch(before); names != nil {
			before = names[1]
		} else {
			before = ""
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", logKey, hex.EncodeToString(fresh[:])+" "+before)
		return err
	})
	if err == nil {
		f.log = logSalts(f.path + "-wal")
	}
	return err
}

// logSalts are the numbers in the head of a log, which SQLite changes when it begins the
// log anew; "" when there is none.
func logSalts(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	var head [24]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return ""
	}
	return string(head[16:])
}
