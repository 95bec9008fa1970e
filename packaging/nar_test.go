package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/packaging"
)

// The hash written here is what `nix hash path` says; where nix is, it is asked again.
func TestNARHash_IsThatOfNix(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"a/b.go": 0o644, "a/run": 0o755, "B": 0o600, "a-b": 0o644, "empty": 0o644} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat(name, len(name)%5)), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a/run", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	got, err := packaging.NARHash(dir)
	if err != nil {
		t.Fatal(err)
	}
	const want = "sha256-N0zExVXU81UlCZQb2JWXK9BX2t6aqdlDkGVPtIELSr4="
	if got != want {
		t.Errorf("hash is %s, want %s", got, want)
	}
	nix, err := exec.LookPath("nix")
	if err != nil {
		return
	}
	cmd := exec.Command(nix, "--extra-experimental-features", "nix-command", "hash", "path", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "NIX_STATE_DIR="+t.TempDir(), "NIX_STORE_DIR="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(string(out)); got != want {
		t.Errorf("hash is %s, nix says %s", got, want)
	}
}
