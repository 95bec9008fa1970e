package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What a person sees on a terminal, step by step. The screens lie in
// testdata/screen: read them when they change.
func TestWhatAPersonSees(t *testing.T) {
	t.Run("the first install takes one answer", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install")
		term.shows("esc cancels", "install")
		term.press("Enter")
		term.shows("ended with 0", "install-done")
		term.holds(".claude/settings.json", true)
		term.holds(".codex/hooks.json", true)
	})
	t.Run("one is left out", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install")
		term.shows("esc cancels", "install")
		term.press("Space")
		term.shows("[ ] Claude Code", "install-changed")
		term.press("Enter")
		term.shows("ended with 0", "install-changed-done")
		term.holds(".claude/settings.json", false)
	})
	t.Run("one is not there yet", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install --tools codex,aider")
		term.shows("ended with 1", "install-absent")
		term.holds(".codex/hooks.json", true)
	})
	t.Run("leaving changes nothing", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install")
		term.shows("esc cancels", "install")
		term.press("Escape")
		term.shows("ended with 0", "install-left")
		term.holds(".carryover", false)
	})
	t.Run("refresh has the last choice ticked", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.quietly("install", "--tools", "codex", "--no-daemon")
		term.run("refresh")
		term.shows("esc cancels", "refresh")
		term.press("Space", "Up", "Space")
		term.press("Enter")
		term.shows("ended with 0", "refresh-done")
		term.holds(".claude/settings.json", true)
		term.holds(".codex/hooks.json", false)
	})
	t.Run("searching as one types", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.imports()
		term.run("search")
		term.shows("esc quits", "search")
		term.press("-l", "parser")
		term.shows("prompt: Write the release notes", "search-typed") // the text around the hit comes after it
		term.press("Down")
		term.shows("prompt: Teach the parser", "search-down")
		term.press("Enter")
		term.shows("ended with 0", "search-chosen")
	})
	t.Run("searching with a slip of a finger", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.imports()
		term.run("search")
		term.shows("esc quits", "search")
		term.press("-l", "praser ")
		term.shows("did you mean", "search-slip")
		term.press("Escape")
		term.shows("ended with 0", "search-left")
	})
	t.Run("a terminal without UTF-8", func(t *testing.T) {
		term := terminal(t, "C", "xterm")
		term.run("install")
		term.shows("esc cancels", "install-ascii")
		term.press("Enter")
		term.shows("ended with 0", "install-ascii-done")
	})
	t.Run("a terminal that cannot draw", func(t *testing.T) {
		term := terminal(t, "C", "dumb")
		term.run("install")
		term.shows("0 for none", "install-plain")
		term.press("1", "Enter")
		term.shows("ended with 0", "install-plain-done")
		term.holds(".claude/settings.json", true)
		term.holds(".codex/hooks.json", false)
	})
}

// screen is a real terminal, tmux', with a person's home and two agents on the
// PATH.
type screen struct {
	t      *testing.T
	user   string
	env    []string
	socket string
}

func terminal(t *testing.T, locale, kind string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is not installed; it is needed to see what a person sees")
		}
		t.Skip("SKIPPED: tmux is not installed; what a person sees at `carryover install` was not tested")
	}
	// A socket's path is short, and all are of one length, whatever TMPDIR is: lines
	// are wrapped by it.
	dir := filepath.Join("/tmp", fmt.Sprintf("term%08x", rand.Uint32()))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, user: filepath.Join(dir, "home"), socket: filepath.Join(dir, "s")}
	bin := filepath.Join(dir, "bin")
	for _, path := range []string{s.user, bin} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, version := range map[string]string{"claude": "2.1.329 (Claude Code)", "codex": "codex-cli 0.169.0"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho '"+version+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.env = []string{
		"HOME=" + s.user, "PATH=" + programs + ":" + bin, "LC_ALL=" + locale, "TERM=" + kind,
		"TZ=UTC", "CARRYOVER_HOME=", "CLAUDE_CONFIG_DIR=", "CODEX_HOME=",
	}
	t.Cleanup(func() {
		_ = s.tmux("kill-server").Run()
		_ = os.RemoveAll(dir)
	})
	return s
}

func (s *screen) tmux(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-f", os.DevNull, "-S", s.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=")
	return cmd
}

// run starts a command in the terminal; no daemon is left behind.
func (s *screen) run(command string) {
	s.t.Helper()
	if command != "search" {
		command += " --no-daemon"
	}
	s.starts(fmt.Sprintf("env %s carryover %s; echo ended with $?; read wait", strings.Join(s.env, " "), command), 130, 40)
}

// starts runs a line of shell in the terminal.
func (s *screen) starts(line string, columns, rows int) {
	s.t.Helper()
	if out, err := s.tmux("new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), line).CombinedOutput(); err != nil {
		s.t.Fatalf("tmux: %v\n%s", err, out)
	}
}

// imports fills the ledger with the sessions of testdata/session.
func (s *screen) imports() {
	s.t.Helper()
	for id, tool := range map[string]string{
		"c1a0de00-0000-4000-8000-000000000001": "claude-code",
		"01a00000-0000-7000-8000-000000000001": "codex",
	} {
		writeSession(s.t.Fatal, s.user, tool, id, filepath.Join(s.user, "parser"))
	}
	s.quietly("import")
}

// quietly runs a command beside the terminal.
func (s *screen) quietly(args ...string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(programs, "carryover"), args...)
	cmd.Env = s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("carryover %v: %v\n%s", args, err, out)
	}
}

func (s *screen) press(keys ...string) {
	s.t.Helper()
	if out, err := s.tmux(append([]string{"send-keys"}, keys...)...).CombinedOutput(); err != nil {
		s.t.Fatalf("press %v: %v\n%s", keys, err, out)
	}
}

// absent is how many agents are neither there nor chosen: it changes with every tool
// that is added.
var absent = regexp.MustCompile(`\d+ other agents`)

func folded(text string) string {
	for _, time := range times {
		text = time.form.ReplaceAllString(text, time.as)
	}
	return absent.ReplaceAllString(text, "… other agents")
}

// shows waits until a text is on the screen, and compares the whole screen with
// a golden file.
func (s *screen) shows(text, golden string) {
	s.t.Helper()
	path := filepath.Join("testdata", "screen", golden+".txt")
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		s.t.Fatal(err)
	}
	got := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		out, err := s.tmux("capture-pane", "-p").Output()
		if err != nil {
			s.t.Fatalf("look at the screen: %v", err)
		}
		got = folded(strings.TrimRight(strings.ReplaceAll(string(out), s.user, "/home/dev"), "\n") + "\n")
		if strings.Contains(got, text) && (*update || got == string(want)) { // it may still be drawn
			break
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	if !strings.Contains(got, text) { // it was waited for in vain
		s.t.Errorf("the screen %s never shows %q", golden, text)
	}
	if got != string(want) {
		s.t.Fatalf("the screen, which `go test ./cmd/carryover -update` would keep, shows\n%s\nwant\n%s", got, want)
	}
}

// holds says whether a file is in the person's home.
func (s *screen) holds(path string, want bool) {
	s.t.Helper()
	if _, err := os.Stat(filepath.Join(s.user, path)); (err == nil) != want {
		s.t.Errorf("%s is there: %v, want %v", path, err == nil, want)
	}
}
