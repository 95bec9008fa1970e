package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile is what a repository or a transcript can be named: it sets the title
// of the window, clears the screen, writes to the clipboard, and turns what
// follows around.
const hostile = "a\x1b]0;t\x07\x1b[2J\x1b]52;c;eA==\x07\u009b31m\u202eb\x08\rc"

// No command prints a control sequence that came from elsewhere.
func TestCommands_PrintNoControlSequences(t *testing.T) {
	user, err := os.MkdirTemp("", "co")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(user) })
	project := filepath.Join(user, hostile)
	const id = "c1a0de00-0000-4000-8000-000000000001"
	quoted := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\x08", `\u0008`, "\r", `\r`).Replace(hostile)
	path := writeSession(func(args ...any) { t.Fatal(args...) }, user, "claude-code", id, project)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer(project, filepath.Join(user, quoted), "Dates in words", quoted, `"main"`, `"`+quoted+`"`,
		"Teach the parser", "Teach "+quoted+" the parser", "got 0, want 3", "got "+quoted).Replace(string(text))
	if err := errors.Join(os.WriteFile(path, []byte(filled), 0o600), exec.Command("git", "init", "-q", project).Run()); err != nil {
		t.Fatal(err)
	}
	carryover := func(args ...string) string {
		cmd := exec.Command(filepath.Join(programs, "carryover"), args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME="+user, "CARRYOVER_HOME=", "CARRYOVER_LISTEN=127.0.0.1:0", "CLAUDE_CONFIG_DIR=")
		out, _ := cmd.CombinedOutput() // what a command that fails says counts too
		return string(out)
	}
	carryover("import")
	seen := false
	for _, command := range []string{
		"show c1a0", "show c1a0:9", "show c1a0 --json", "status", "status --why", "projects", "projects --json", "stats", "switch", "switch codex", "doctor",
		"history", "history --json", "search parser", "search parser --json", "handoff", "handoff --json", "ledger show c1a0", "seam", "export", "distill " + path,
		"show " + hostile, "forget nothing-of-this --yes",
	} {
		out := carryover(strings.Split(command, " ")...)
		seen = seen || strings.Contains(out, `\u001b]0;t`)
		for _, r := range out {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Errorf("%s prints %U:\n%q", command, r, out)
				break
			}
		}
	}
	if !seen {
		t.Error("no command showed the text: the test proves nothing")
	}
}
