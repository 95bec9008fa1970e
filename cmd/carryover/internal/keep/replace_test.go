package keep

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// Where the new text cannot be written to its end, the old one stays and nothing else is left.
func TestReplaceFile_KeepsTheOldOneWhereThereIsNoRoom(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(name, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	err := replaceFile(name, 0o600, func(to io.Writer) error {
		_, err := io.WriteString(to, "ha")
		return errors.Join(err, full)
	})
	if text, _ := os.ReadFile(name); !errors.Is(err, full) || string(text) != "dear" {
		t.Errorf("%v, and the file is %q", err, text)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	err = replaceFile(name, 0o640, func(to io.Writer) error {
		_, err := io.WriteString(to, "new")
		return err
	})
	info, statErr := os.Stat(name)
	if text, _ := os.ReadFile(name); err != nil || statErr != nil || string(text) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v, %q", err, info, text)
	}
}

// The ledger is no place for a result, under no name.
func TestExport_LeavesTheLedgerAlone(t *testing.T) {
	dir := home.Dir(t.TempDir())
	link := filepath.Join(t.TempDir(), "out.json")
	if err := errors.Join(os.WriteFile(dir.Ledger(), nil, 0o600), os.Symlink(dir.Ledger(), link)); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{dir.Ledger(), link} {
		if notOurs(dir, name) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := notOurs(dir, filepath.Join(t.TempDir(), "other.json")); err != nil {
		t.Error(err)
	}
}

// restore-file writes through no link: it leads to a file that the person did not name.
func TestRestoreFile_WritesThroughNoLink(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "parser.go")
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), name); err != nil {
		t.Skip(err)
	}
	if writable(name) == nil {
		t.Error("a link is written through")
	}
	if err := writable(filepath.Join(dir, "new.go")); err != nil {
		t.Error(err)
	}
}
