package setup

import (
	"os"
	"path/filepath"
	"testing"
)

func TestInstalledByPython_IsKnownFromItsFolder(t *testing.T) {
	environment := t.TempDir()
	program := filepath.Join(environment, "bin", "agent")
	for _, dir := range []string{filepath.Dir(program), filepath.Join(environment, "lib", "python3.12", "site-packages", "agent-1.16.0.dist-info"), filepath.Join(environment, "lib", "python3.12", "site-packages", "agent-sdk-1.21.0.dist-info")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "agent")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	if got := installedByPython(link); got != "1.16.0" {
		t.Errorf("the version is %q", got)
	}
	if got := installedByPython(filepath.Join(environment, "bin")); got != "" {
		t.Errorf("of a folder it is %q", got)
	}
}
