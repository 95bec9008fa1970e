package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// user is a person with a home of their own and nothing of the machine's on the
// PATH but what a test puts into bin.
type user struct {
	*testing.T
	dir, bin string
}

// newUser makes a home, whose path is short enough for a socket.
func newUser(t *testing.T) *user {
	t.Helper()
	dir, err := os.MkdirTemp("", "co")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	u := &user{T: t, dir: dir, bin: filepath.Join(dir, "bin")}
	if err := os.Mkdir(u.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	return u
}

// env is what the user's programs are started with.
func (u *user) env() []string {
	return []string{"HOME=" + u.dir, "PATH=" + programs + string(filepath.ListSeparator) + u.bin, "CARRYOVER_LISTEN=127.0.0.1:0"}
}

// command prepares a command of Carryover.
func (u *user) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(programs, "carryover"), args...)
	cmd.Dir, cmd.Env = u.dir, u.env()
	return cmd
}

// must runs a command that has to succeed, and returns what it printed.
func (u *user) must(args ...string) string {
	u.Helper()
	out, err := u.command(args...).Output()
	if err != nil {
		u.Errorf("carryover %v: %v\n%s", args, err, out)
	}
	return string(out)
}
