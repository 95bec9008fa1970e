package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	carryover("daemon", "start")
	t.Cleanup(func() { carryover("daemon", "stop") })
	seen := false
	for _, command := range slices.Concat(strings.Split(everyCommand, "\n"), []string{"distill " + path, "show " + hostile, "run -- " + hostile}) {
		out := carryover(strings.Split(command, " ")...)
		seen = seen || strings.Contains(out, `\u001b]0;t`)
		noControls(t, command, out)
	}
	if !seen {
		t.Error("no command showed the text: the test proves nothing")
	}
	log, err := os.ReadFile(filepath.Join(user, ".carryover", "log", "carryoverd.log"))
	if err != nil {
		t.Fatal(err)
	}
	noControls(t, "the log", string(log))
}

func noControls(t *testing.T, where, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			t.Errorf("%s prints %U:\n%q", where, r, text)
			return
		}
	}
}

// everyCommand has each command at least once, in an order in which the ledger keeps
// its session to the end.
const everyCommand = `why
statusline
show c1a0
show c1a0:9
show c1a0 --json
status
status --why
status --tools
daemon status
status --json
projects
projects --json
projects move nowhere elsewhere
projects merge nowhere elsewhere
stats
stats --json
stats --effect
stats --effect --json
switch
switch codex
--since monday
--since 2026-01-01
open
open --all
open --all --json
open c1a0
open c1a0 --mark done
open c1a0 --mark unmark
blame
blame parser.go
blame parser.go --json
restore-file
restore-file parser.go
restore-file parser.go --json
rescue
rescue c1a0
rescue c1a0 --to rescued
doctor
doctor --json
history
history --json
sessions
sessions --all
sessions --json
search parser
search parser --json
search ->continuity
handoff
handoff --json
ledger
ledger show c1a0
ledger show c1a0 --json
ledger digest
seam
seam --json
export
export --bundle project.carryover
import project.carryover
import project.carryover --yes
import nowhere.carryover
distill nowhere
secrets
secrets --json
config
config exclude
config exclude ` + hostile + `
continuity
continuity instructions
continuity save --name mailer Current-task:` + hostile + `
continuity ledger
continuity ledger mailer
continuity handoffs mailer
continuity search ` + hostile + `
continuity inject mailer ` + hostile + `
continuity clear mailer
dismiss
completion bash
toolspecs
toolspecs list
toolspecs show claude-code
toolspecs show ` + hostile + `
toolspecs check
toolspecs install ` + hostile + `
toolspecs remove ` + hostile + `
install --dry-run
install ` + hostile + `
uninstall --dry-run
refresh --dry-run
import
import --root ` + hostile + `
repair
daemon
daemon logs
daemon restart
dashboard --print
help
help ` + hostile + `
version
manual
mcp
run -- echo done
acp -- true
forget ` + hostile + `
forget nothing-of-this --yes
daemon stop
daemon start`

// Every command stands in the list.
func TestCommands_AllAreTriedOnHostileText(t *testing.T) {
	help, err := os.ReadFile(filepath.Join(sources, "testdata", "help.txt"))
	if err != nil {
		t.Fatal(err)
	}
	tried := "\n" + everyCommand + "\n"
	for _, found := range regexp.MustCompile(`(?m)^\$ carryover (.+) --help$`).FindAllStringSubmatch(string(help), -1) {
		if !strings.Contains(tried, "\n"+found[1]+"\n") && !strings.Contains(tried, "\n"+found[1]+" ") {
			t.Errorf("%s is not tried", found[1])
		}
	}
}
