package main_test

import (
	"fmt"
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
		term.shows("esc leaves", "install")
		term.press("Enter")
		term.shows("ended with 0", "install-done")
		term.holds(".claude/settings.json", true)
		term.holds(".codex/hooks.json", true)
	})
	t.Run("one is left out, one is not there yet", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install")
		term.shows("esc leaves", "install")
		term.press("Space", "Down", "Down", "Space")
		term.shows("[✓] Aider", "install-changed")
		term.press("Enter")
		term.shows("ended with 1", "install-changed-done")
		term.holds(".claude/settings.json", false)
	})
	t.Run("leaving changes nothing", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.run("install")
		term.shows("esc leaves", "install")
		term.press("Escape")
		term.shows("ended with 1", "install-left")
		term.holds(".carryover", false)
	})
	t.Run("refresh has the last choice ticked", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.quietly("install", "--tools", "codex", "--no-daemon")
		term.run("refresh")
		term.shows("esc leaves", "refresh")
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
		term.shows("esc leaves", "search")
		term.press("-l", "parser")
		term.shows("of the parser", "search-typed")
		term.press("Down")
		term.shows("▸ 2026-03-02 09:00  claude-code  prompt", "search-down")
		term.press("Enter")
		term.shows("ended with 0", "search-chosen")
	})
	t.Run("searching with a slip of a finger", func(t *testing.T) {
		term := terminal(t, "C.UTF-8", "xterm-256color")
		term.imports()
		term.run("search")
		term.shows("esc leaves", "search")
		term.press("-l", "praser ")
		term.shows("did you mean", "search-slip")
		term.press("Escape")
		term.shows("ended with 0", "search-left")
	})
	t.Run("a terminal without UTF-8", func(t *testing.T) {
		term := terminal(t, "C", "xterm")
		term.run("install")
		term.shows("esc leaves", "install-ascii")
		term.press("Enter")
		term.shows("ended with 0", "install-ascii-done")
	})
	t.Run("a terminal that cannot draw", func(t *testing.T) {
		term := terminal(t, "C", "dumb")
		term.run("install")
		term.shows("0 for none:", "install-plain")
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
	dir, err := os.MkdirTemp("", "term") // a socket's path is short
	if err != nil {
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
		"CARRYOVER_HOME=", "CLAUDE_CONFIG_DIR=", "CODEX_HOME=",
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
	line := fmt.Sprintf("env %s carryover %s; echo ended with $?; read wait", strings.Join(s.env, " "), command)
	if out, err := s.tmux("new-session", "-d", "-x", "130", "-y", "40", line).CombinedOutput(); err != nil {
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

// absent are the agents in a list that are neither there nor chosen: how many
// there are changes with every tool that is added.
var absent = regexp.MustCompile(`(?m)(^.*\[ \] .* not found\n)+`)

func folded(text string) string { return absent.ReplaceAllString(text, "… not found\n") }

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
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
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
