package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
)

func withConfig(t *testing.T, text string) home.Dir {
	t.Helper()
	dir := home.Dir(t.TempDir())
	t.Setenv("CARRYOVER_LISTEN", "")
	if err := os.WriteFile(dir.Config(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestChoicesAreRead(t *testing.T) {
	got, err := config.Load(withConfig(t, `
tools = ["claude-code", "codex"]
resume = "brief"
listen = "127.0.0.1:5000"
pointer = "existing"
ignore = "inner"
exclude = ["~/private"]
stale_after = "3d"
[log]
level = "debug"
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tools) != 2 || got.Resume != "brief" || got.Listen != "127.0.0.1:5000" || got.Pointer != "existing" ||
		got.Ignore != "inner" || got.StaleAfter != 72*time.Hour || got.LogLevel != "debug" {
		t.Errorf("read %+v", got)
	}
	user, _ := os.UserHomeDir()
	for dir, want := range map[string]bool{
		filepath.Join(user, "private"): true, filepath.Join(user, "private", "a"): true, filepath.Join(user, "privately"): false, user: false,
	} {
		if got.Excluded(dir) != want {
			t.Errorf("%s excluded: %v", dir, !want)
		}
	}
}

// A broken file is named, and the defaults are used in its place.
func TestABrokenFileIsNamed(t *testing.T) {
	for name, text := range map[string]string{
		"no TOML": "resume = ", "a word that is not known": `resume = "loud"`, "no age": `stale_after = "soon"`,
	} {
		dir := withConfig(t, text)
		got, err := config.Load(dir)
		if err == nil || !strings.Contains(err.Error(), dir.Config()) {
			t.Errorf("%s: error is %v", name, err)
		}
		if got.Resume != "ask" || got.StaleAfter != 14*24*time.Hour {
			t.Errorf("%s: choices are %+v", name, got)
		}
	}
}

func TestSaveKeepsTheOtherChoices(t *testing.T) {
	dir := withConfig(t, "listen = \"127.0.0.1:5000\"\n")
	if err := config.Save(dir, map[string]any{"tools": []string{"codex"}}); err != nil {
		t.Fatal(err)
	}
	got, err := config.Load(dir)
	if err != nil || got.Listen != "127.0.0.1:5000" || len(got.Tools) != 1 {
		t.Errorf("read %+v (%v)", got, err)
	}
}

// A repository may say how its handoffs are taken up, and nothing else.
func TestAProjectMaySetLittle(t *testing.T) {
	for name, test := range map[string]struct {
		text     string
		resume   string
		excluded bool
		wrong    bool
	}{
		"a mode":            {`resume = "silent"`, "silent", false, false},
		"itself left out":   {`exclude = true`, "ask", true, false},
		"a folder of it":    {`exclude = ["vendor"]`, "ask", false, false},
		"a folder outside":  {`exclude = ["../other"]`, "ask", false, true},
		"no exclusion":      {`exclude = 3`, "ask", false, true},
		"another port":      {`listen = "0.0.0.0:80"`, "ask", false, true},
		"tools to be wired": {`tools = ["codex"]`, "ask", false, true},
		"broken":            {`resume = `, "ask", false, true},
	} {
		worktree := t.TempDir()
		if err := os.WriteFile(filepath.Join(worktree, ".carryover.toml"), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := config.Default().ForProject(worktree)
		if (err != nil) != test.wrong || got.Resume != test.resume || got.Excluded(worktree) != test.excluded {
			t.Errorf("%s: %+v, error %v", name, got, err)
		}
		if name == "a folder of it" && !got.Excluded(filepath.Join(worktree, "vendor", "lib")) {
			t.Errorf("%s is not excluded: %v", name, got.Exclude)
		}
	}
}
