package main_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// unread runs a command whose output nobody reads: both are the end of a pipe that is
// closed at the other one. It may end with any code, but by no signal.
func (u *user) unread(args ...string) {
	u.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		u.Fatal(err)
	}
	_ = read.Close()
	defer func() { _ = write.Close() }()
	ctx, cancel := context.WithTimeout(u.Context(), 30*time.Second)
	defer cancel()
	program := u.command(args...)
	cmd := exec.CommandContext(ctx, program.Path, program.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = filepath.Join(u.dir, "proj"), program.Env, write, write
	var ended *exec.ExitError
	if err := cmd.Run(); errors.As(err, &ended) && !ended.Exited() {
		u.Errorf("carryover %s: %v", strings.Join(args, " "), err)
	}
}

// newWorked makes a user with a session of Claude Code, which is there to be connected.
func newWorked(t *testing.T) *user {
	u := newUser(t)
	writeSession(func(args ...any) { t.Fatal(args...) }, u.dir, "claude-code", "c1a0de00-0000-4000-8000-000000000001", filepath.Join(u.dir, "proj"))
	if err := os.WriteFile(filepath.Join(u.bin, "claude"), []byte("#!/bin/sh\necho '2.1.329 (Claude Code)'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.command("daemon", "stop").Run() })
	return u
}

// No command is killed for its output. `run` is: with the terminal the agent's screen is gone.
func TestCommands_EndByThemselvesWhereNobodyReads(t *testing.T) {
	u := newWorked(t)
	u.must("import")
	for _, command := range strings.Split(everyCommand, "\n") {
		if args := strings.Split(command, " "); args[0] != "run" {
			u.unread(args...)
		}
	}
}

// What a command was to change is changed, all of it, whether or not somebody reads
// what it says.
func TestCommands_DoTheirWorkWhereNobodyReads(t *testing.T) {
	u := newWorked(t)
	u.unread("install", "--yes")
	if out := u.must("status"); !strings.Contains(out, "running") || !strings.Contains(out, "1 session") {
		t.Errorf("after install: %s", out)
	}
	if err := os.Remove(filepath.Join(u.dir, "proj", "parser.go")); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	u.unread("export", "--output", "out.json")
	u.unread("config", "exclude", "/nowhere/at/all")
	if out := u.must("config"); !strings.Contains(out, "/nowhere/at/all") {
		t.Errorf("after config: %s", out)
	}
	u.unread("uninstall")
	settings, _ := os.ReadFile(filepath.Join(u.dir, ".claude", "settings.json"))
	if strings.Contains(string(settings), "carryover") {
		t.Errorf("after uninstall: %s", settings)
	}
	if _, err := os.Stat(filepath.Join(u.dir, "proj", "out.json")); err != nil {
		t.Error(err)
	}
}

// A result that there is no room for is no success.
func TestCommands_FailWhereTheResultHasNoRoom(t *testing.T) {
	u := newWorked(t)
	u.must("import")
	for _, line := range []string{"search parser", "show c1a0", "history", "handoff", "status", "export", "projects", "stats", "toolspecs list", "version", "help"} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		var said strings.Builder
		cmd := u.command(strings.Fields(line)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join(u.dir, "proj"), full, &said
		err = cmd.Run()
		_ = full.Close()
		if err == nil || !strings.Contains(said.String(), "no space left") {
			t.Errorf("carryover %s: %v, %q", line, err, said.String())
		}
	}
}
