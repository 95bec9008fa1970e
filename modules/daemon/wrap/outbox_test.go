package wrap

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/projectfs"
)

// A repository that brings an outbox of its own, or exchanges it while the
// program runs, gets no file of the project read or removed.
func TestOutbox_NeverLeadsElsewhere(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	guide := filepath.Join(dir, "docs", "guide.md")
	if err := os.Mkdir(filepath.Dir(guide), 0o755); err != nil {
		t.Fatal(err)
	}
	box, err := openOutbox(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(os.WriteFile(guide, []byte("->continuity:save\nx\n"), 0o644), os.Remove(box.dir), os.Symlink("../docs", box.dir))
	if err != nil {
		t.Fatal(err)
	}
	box.sweep(func(continuity.Command) { t.Error("a message was taken") })
	if _, err := os.Stat(guide); err != nil {
		t.Error(err)
	}
	if _, err := openOutbox(dir); !errors.Is(err, projectfs.ErrRefused) {
		t.Errorf("opened again: %v", err)
	}
}
