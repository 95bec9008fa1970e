package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lookedAt are the commands whose screens are kept at three widths.
var lookedAt = []string{
	"", "sessions", "sessions --all", "history", "handoff --for human", "show c1a0", "seam c1a0", "search parser --limit 4", "why", "stats",
	"projects", "status", "--since 2026-01-01",
	"blame parser.go", "restore-file parser.go", "config", "toolspecs", "secrets", "stats --effect", "continuity", "ledger",
	"distill --last", "dismiss", "dismiss --undo", "forget --session c1a0", "rescue c1a0", "export --format xml", "statusline",
	"uninstall --dry-run", "import", "repair", "version",
	"switch codex", "open c1a0", "daemon status", "daemon logs", "ledger show", "toolspecs remove",
	"install --dry-run --tools codex", "config resume", "projects move nowhere elsewhere", "projects merge nowhere elsewhere",
	"continuity ledger rev", "continuity handoffs rev", "continuity search dates", "continuity clear rev", "continuity inject rev",
	"continuity instructions", "run", "acp", "help search", "daemon", "restore-file",
}

// notLookedAt are the commands that have no screen of their own here, and why.
var notLookedAt = map[string]string{
	"toolspecs list":  "changes with every tool; script toolspecs.txtar",
	"doctor":          "tells of this machine; script doctor.txtar",
	"ledger digest":   "prints a number and a count",
	"refresh":         "has screens of its own, refresh*.txt",
	"continuity save": "reads standard input; script continuity.txtar",

	"completion":        "prints a script for a shell",
	"mcp":               "speaks a protocol",
	"dashboard":         "opens a browser",
	"daemon start":      "prints a process id; script daemon.txtar",
	"daemon stop":       "nothing runs here; script daemon.txtar",
	"daemon restart":    "prints a process id; script daemon.txtar",
	"toolspecs check":   "counts what grows with every tool; script toolspecs.txtar",
	"toolspecs show":    "prints a spec",
	"toolspecs install": "needs a signed bundle; script toolspecs.txtar",
	"manual":            "writes the man pages of a package",
}

// Every command of the program is looked at, or is said why not.
func TestScreens_ShowEveryCommand(t *testing.T) {
	help, err := os.ReadFile("testdata/help.txt")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, match := range regexp.MustCompile(`(?m)^\$ carryover ?(.*?) ?--help$`).FindAllStringSubmatch(string(help), -1) {
		name := match[1]
		there = append(there, name)
		shown := slices.ContainsFunc(lookedAt, func(line string) bool { return line == name || strings.HasPrefix(line, name+" ") && name != "" })
		if _, left := notLookedAt[name]; left == shown {
			t.Errorf("%q: looked at %v, left out %v", name, shown, left)
		}
	}
	for name := range notLookedAt {
		if !slices.Contains(there, name) {
			t.Errorf("there is no command %q", name)
		}
	}
}

// times are what differs from day to day: ages, and times of the import.
var times = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b\d{3,4}d\b`), "###d"},
	{regexp.MustCompile(`\b20(?:2[7-9]|[3-9]\d)-\d\d-\d\d`), "####-##-##"},
	{regexp.MustCompile(`\d+(?:\.\d)? [kM]B\b`), "## kB"},
	{regexp.MustCompile(`\b[0-9a-f]{16}\b`), "0123456789abcdef"},      // of a project, by its path
	{regexp.MustCompile(`(?s)(tools +not seen  ).*?ones\n`), "$1…\n"}, // grows with every tool
}

// compacts ends the session of Claude Code with a compaction.
func (s *screen) compacts() {
	s.t.Helper()
	const records = `{"type":"system","subtype":"compact_boundary","uuid":"c1","sessionId":"c1a0de00-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:30:00.000Z","compactMetadata":{"trigger":"auto","preTokens":150000}}
{"type":"user","uuid":"c2","sessionId":"c1a0de00-0000-4000-8000-000000000001","timestamp":"2026-03-02T09:30:01.000Z","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"The work is about dates in parser.go."}}
`
	path := filepath.Join(s.user, ".claude/projects/-project/c1a0de00-0000-4000-8000-000000000001.jsonl")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := file.WriteString(records); err != nil {
		s.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.quietly("import")
}

// What the commands show in terminals of 60, 80 and 120 columns lies in
// testdata/screen: read it when it changes. Tables are never wider than the terminal.
func TestScreens_FitNarrowAndWideTerminals(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			term := terminal(t, "C.UTF-8", "xterm-256color")
			term.imports()
			term.compacts()
			script := filepath.Join(term.user, "look.sh")
			text := "cd " + filepath.Join(term.user, "parser") + "\n"
			for _, command := range lookedAt {
				text += fmt.Sprintf("echo '$ carryover %s'\ncarryover %s\necho\n", command, command)
			}
			if err := os.MkdirAll(filepath.Join(term.user, "parser"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			term.starts(fmt.Sprintf("env %s /bin/sh %s; echo the end; read wait", strings.Join(term.env, " "), script), width, 1600)
			term.shows("the end", fmt.Sprint("look-", width))
		})
	}
}
