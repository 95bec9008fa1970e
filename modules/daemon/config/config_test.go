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
project_files = "never"
exclude = ["~/private"]
stale_after = "3d"
[log]
level = "debug"
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tools) != 2 || got.Resume != "brief" || got.Listen != "127.0.0.1:5000" || got.ProjectFiles != config.ProjectFilesNever ||
		got.StaleAfter != 72*time.Hour || got.LogLevel != "debug" {
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

// Every setting can be made in the file and by its variable, which wins.
func TestLoad_TakesEveryVariable(t *testing.T) {
	dir := withConfig(t, "resume = \"brief\"\n[fullness]\nnotice = 60\n")
	values := map[string]string{
		"tools": "codex,aider", "resume": "silent", "listen": "127.0.0.1:5000", "project_files": "always", "announce": "false", "exclude": "/a,/b",
		"parts": "apps/*,libs/*", "stale_after": "3d", "fullness.notice": "50", "fullness.snapshot": "90", "fullness.mid_turn": "false", "retention.sessions": "36h",
		"continuity.archive_after": "10d", "continuity.keep_handoffs": "7", "log.level": "debug", "transcripts.keep": "false", "transcripts.max_mb": "50",
	}
	for _, s := range config.Settings() {
		t.Setenv(s.Variable(), values[s.Key])
	}
	choices, err := config.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range config.Values(choices) {
		if value.Value != values[value.Key] || value.Default {
			t.Errorf("%s is %q, want %q", value.Key, value.Value, values[value.Key])
		}
	}
}

// What is wrong in the environment is named, and the file holds.
func TestLoad_NamesABrokenVariable(t *testing.T) {
	dir := withConfig(t, "resume = \"brief\"\n")
	t.Setenv("CARRYOVER_FULLNESS_NOTICE", "101")
	choices, err := config.Load(dir)
	if err == nil || !strings.Contains(err.Error(), `fullness.notice "101": use a number from 0 to 100`) || choices.Resume != "brief" {
		t.Errorf("read %+v, error %v", choices, err)
	}
}

// What is set is read back, and a wrong value changes nothing.
func TestSet_ChangesOneSetting(t *testing.T) {
	dir := withConfig(t, "")
	for _, value := range []string{"tools=codex", "fullness.mid_turn=false", "continuity.keep_handoffs=3", "stale_after=36h", "exclude="} {
		key, text, _ := strings.Cut(value, "=")
		if err := config.Set(dir, key, text); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
	}
	t.Setenv("CARRYOVER_FULLNESS_NOTICE", "much") // a broken variable is no reason to refuse another setting
	if err := config.Set(dir, "resume", "brief"); err != nil {
		t.Errorf("refused: %v", err)
	}
	t.Setenv("CARRYOVER_FULLNESS_NOTICE", "70")
	before, _ := os.ReadFile(dir.Config())
	for _, wrong := range []string{"resume=loud", "fullness.notice=-1", "stale_after=soon", "fullness.mid_turn=perhaps", "colour=red"} {
		key, text, _ := strings.Cut(wrong, "=")
		if err := config.Set(dir, key, text); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
	after, _ := os.ReadFile(dir.Config())
	choices, err := config.Load(dir)
	if err != nil || string(before) != string(after) || choices.KeepHandoffs != 3 || choices.Resume != "brief" || choices.ContextUsage.MidTurn || choices.StaleAfter != 36*time.Hour {
		t.Errorf("choices %+v (%v), file\n%s\nbefore\n%s", choices, err, after, before)
	}
}
