//go:build unix

package regularfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// What stands in the place of an own file and never ends is not waited for.
func TestReadOwn_DoesNotWait(t *testing.T) {
	dir := t.TempDir()
	fifo, file := filepath.Join(dir, "fifo"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, dir, "/dev/zero"} {
		if _, err := regularfile.ReadOwn(path); !errors.Is(err, regularfile.ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if data, err := regularfile.ReadOwn(file); err != nil || string(data) != "{}" {
		t.Errorf("a file: %q, %v", data, err)
	}
}
