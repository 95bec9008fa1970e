package spectest_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/toolspecs"
)

// toFill marks what scripts/new-tool leaves to be filled in.
const toFill = "FILL IN"

// What a new tool's folder still lacks is listed line by line.
func TestTool_NothingIsLeftToFillIn(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", "tools"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			t.Run(entry.Name(), func(t *testing.T) { leftIn(t, filepath.Join("..", "tools", entry.Name())) })
		}
	}
}

func leftIn(t *testing.T, folder string) {
	err := filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(data), "\n") {
			if strings.Contains(line, toFill) {
				t.Errorf("%s:%d: fill in %s", file, n+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// newTool runs the script, and is skipped where the module stands alone.
func newTool(t *testing.T, args ...string) (folder string, out string, err error) {
	t.Helper()
	script := filepath.Join("..", "..", "scripts", "new-tool")
	if _, err := os.Stat(script); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this module stands alone, without the scripts")
	}
	into := t.TempDir()
	text, err := exec.Command("bash", append([]string{script, "--into", into}, args...)...).CombinedOutput()
	return into, string(text), err
}

func TestNewTool_LaysOutWhatTheTestsAskFor(t *testing.T) {
	for name, args := range map[string][]string{"a tool": {"some-agent"}, "a fork": {"some-agent", "--reader", "gemini-cli"}} {
		t.Run(name, func(t *testing.T) {
			into, out, err := newTool(t, args...)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			folder := filepath.Join(into, "some-agent")
			data, err := os.ReadFile(filepath.Join(folder, "spec.json"))
			if err != nil {
				t.Fatal(err)
			}
			spec, err := toolspecs.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range spec.Check() {
				t.Error(problem)
			}
			page, _ := os.ReadFile(filepath.Join(folder, "evidence.md"))
			for _, verified := range spec.Verified {
				if !strings.Contains(string(page), "\n## "+verified.Group+"\n") {
					t.Errorf("evidence.md has no section for %s", verified.Group)
				}
			}
			reader := filepath.Join(folder, "reader.go")
			_, err = os.Stat(reader)
			if fork := spec.Reader != ""; fork != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the reader: %v", err)
			} else if !fork {
				compiles(t, reader)
			}
			for _, fixture := range []string{"work", "junk", "torn", "no-newline"} {
				if _, err := os.Stat(filepath.Join(folder, "fixtures", "transcript", fixture+".jsonl")); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// compiles builds a reader as if it stood in this module.
func compiles(t *testing.T, reader string) {
	t.Helper()
	at, err := filepath.Abs(filepath.Join("..", "tools", "some-agent", "reader.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {at: reader}})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "./tools/some-agent")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the reader: %v\n%s", err, out)
	}
}

func TestNewTool_RefusesWhatCannotBe(t *testing.T) {
	for name, args := range map[string][]string{
		"no name": {}, "capitals": {"Qwen"}, "a reader that nobody has": {"some-agent", "--reader", "nobody"}, "an option": {"--what"},
	} {
		if _, out, err := newTool(t, args...); err == nil {
			t.Errorf("%s is accepted: %s", name, out)
		}
	}
}
