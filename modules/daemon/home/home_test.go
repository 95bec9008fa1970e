package home_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

func TestMake_FoldersArePrivate(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "home"))
	if err := dir.Make("spool", "log"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{string(dir), dir.Spool(), filepath.Dir(dir.Log())} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

func TestSocket_PathCanBeBound(t *testing.T) {
	short, long := home.Dir("/home/dev/.carryover"), home.Dir("/home/"+strings.Repeat("d", 120))
	if got := short.Socket(); got != "/home/dev/.carryover/run/s" {
		t.Errorf("short home: %s", got)
	}
	if got := long.Socket(); !strings.HasPrefix(got, "/tmp/carryover-") || len(got) > 100 {
		t.Errorf("long home: %s", got)
	}
	if long.Socket() == home.Dir(string(long)+"e").Socket() {
		t.Error("two homes share a socket")
	}
}

func TestGiven_StaysInItsFolder(t *testing.T) {
	dir := home.Dir("/home/dev/.carryover")
	for _, session := range []string{"../../../etc/passwd", "a/b", strings.Repeat("x", 500)} {
		got := dir.Given("key", session)
		if filepath.Dir(got) != dir.Handoffs() || len(filepath.Base(got)) > 120 {
			t.Errorf("%q is %s", session, got)
		}
	}
}

func TestReadRunning_DamagedFileIsAnError(t *testing.T) {
	dir := home.Dir(t.TempDir())
	if _, err := dir.ReadRunning(); err == nil {
		t.Error("no file, and no error")
	}
	if err := os.WriteFile(dir.State(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dir.ReadRunning(); err == nil || !strings.Contains(err.Error(), dir.State()) {
		t.Errorf("half a file: %v", err)
	}
	if err := os.WriteFile(dir.State(), []byte(`{"pid": 7, "listen": "127.0.0.1:1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if running, err := dir.ReadRunning(); err != nil || running.PID != 7 || running.Listen != "127.0.0.1:1" {
		t.Errorf("%+v, %v", running, err)
	}
}

func TestWorktreeRoot_NearestFolderWithGit(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := home.WorktreeRoot(deep); got != deep {
		t.Errorf("without .git: %s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "a", ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := home.WorktreeRoot(deep); got != filepath.Join(root, "a") {
		t.Errorf("with .git: %s", got)
	}
}

// A folder that somebody made before, open to others, is closed to them.
func TestMake_ClosesAFolderThatIsOpen(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "home"))
	if err := os.Mkdir(string(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(string(dir)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
