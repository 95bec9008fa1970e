//go:build unix

package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// What is no file is set aside like what is damaged, and never waited for.
func TestOpen_RefusesWhatIsNoFile(t *testing.T) {
	for what, make := range map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a FIFO":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		for _, end := range []string{"", "-wal", "-shm"} {
			path := filepath.Join(t.TempDir(), "ledger.sqlite")
			if end != "" {
				copyFile(t, open(t).Path(), path)
			}
			if err := make(path + end); err != nil {
				t.Skip(err)
			}
			_, writing := db.Open(path, nil)
			_, reading := db.OpenReadOnly(path)
			for _, err := range []error{writing, reading} {
				if !errors.Is(err, ledger.ErrCorrupt) || !strings.Contains(err.Error(), what+" stands in the place of ledger.sqlite"+end) {
					t.Errorf("%s as ledger.sqlite%s: %v", what, end, err)
				}
			}
		}
	}
}
