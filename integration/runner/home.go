// Package runner drives the real agent CLIs, headless and offline, in a
// throw-away home.
package runner

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Timeout bounds one run of an agent.
const Timeout = 3 * time.Minute

// Home is a user's home with one project in it.
type Home struct {
	t       testing.TB
	Dir     string // HOME
	Project string
	Model   string // URL of the stand-in model
	// Execute runs programs elsewhere, as in a container; nil runs them here.
	Execute func(stdin, dir string, env []string, name string, args ...string) Output
}

// New makes a home and a project under git.
func New(t testing.TB, model string) *Home {
	t.Helper()
	// Not t.TempDir(): its long names make socket paths that do not fit.
	dir, err := os.MkdirTemp("", "co")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		endAll(dir)
		_ = os.RemoveAll(dir)
	})
	h := &Home{t: t, Dir: dir, Project: filepath.Join(dir, "proj"), Model: model}
	h.MakeProject(h.Project)
	return h
}

// MakeProject makes another git repository.
func (h *Home) MakeProject(dir string) {
	h.t.Helper()
	h.Write(filepath.Join(dir, "README.md"), "# A project\n")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "."},
		{"-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-qm", "first"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, h.Env()
		if out, err := cmd.CombinedOutput(); err != nil {
			h.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// Write makes a file with its folders.
func (h *Home) Write(path, content string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// Read returns a file's content, "" when it is not there.
func (h *Home) Read(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// Save copies the home, with nothing of ours running in it.
func (h *Home) Save() (saved string) {
	h.t.Helper()
	saved = h.Dir + ".saved"
	h.copy(h.Dir, saved)
	h.t.Cleanup(func() { _ = os.RemoveAll(saved) })
	return saved
}

// Restore makes the home what it was when it was saved.
func (h *Home) Restore(saved string) {
	h.t.Helper()
	if err := os.RemoveAll(h.Dir); err != nil {
		h.t.Fatal(err)
	}
	h.copy(saved, h.Dir)
}

// copy keeps times: the newest session is known from them.
func (h *Home) copy(from, to string) {
	h.t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		h.t.Fatalf("copy the home: %v\n%s", err, out)
	}
}

// Env is the environment of everything that runs in this home.
func (h *Home) Env(extra ...string) []string {
	env := []string{
		"HOME=" + h.Dir, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "LANG=C.UTF-8", "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "CARRYOVER_LISTEN=127.0.0.1:0",
	}
	return append(env, extra...)
}

// Output of a command.
type Output struct {
	Stdout, Stderr string
	Code           int
}

// Run runs a program in a folder and returns what it printed.
func (h *Home) Run(dir string, env []string, name string, args ...string) Output {
	h.t.Helper()
	return h.RunWith("", dir, env, name, args...)
}

// RunWith is Run with something on standard input.
func (h *Home) RunWith(stdin, dir string, env []string, name string, args ...string) Output {
	h.t.Helper()
	if h.Execute != nil {
		return h.Execute(stdin, dir, env, name, args...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		h.t.Fatalf("%s %s did not end within %s\n%s\n%s", name, strings.Join(args, " "), Timeout, &stdout, &stderr)
	}
	if err != nil && cmd.ProcessState == nil {
		h.t.Fatalf("run %s: %v", name, err)
	}
	return Output{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// endAll ends the programs that were started from below a home and run on, and the servers
// of tmux that agents left there: Codex leaves a server of its own, installed there, behind a
// terminal, and OpenHands the one that its shell runs in.
func endAll(dir string) {
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range processes {
		line, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(line), dir+string(filepath.Separator)) && !tmuxOf(dir, path, string(line)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			continue
		}
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	}
}

// tmuxOf says that a process is a server of tmux that was started in a home.
func tmuxOf(dir, path, line string) bool {
	program, _, _ := strings.Cut(line, "\x00")
	if filepath.Base(program) != "tmux" {
		return false
	}
	environ, err := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
	return err == nil && slices.Contains(strings.Split(string(environ), "\x00"), "HOME="+dir)
}
