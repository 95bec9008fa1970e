package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// program is a carryover with a home of its own.
type program struct{ path, home string }

// cost is what one process took.
type cost struct {
	CPU  float64 // seconds, of user and system
	Peak float64 // resident set, in MB
}

// do runs a command and returns what it printed. Nothing of the user's is read:
// the folders of agents are looked for in an empty home.
func (p program) do(args ...string) ([]byte, cost, error) {
	user := filepath.Join(p.home, "user")
	if err := os.MkdirAll(user, 0o700); err != nil {
		return nil, cost{}, err
	}
	return spent(p.path, append([]string{"--home", p.home}, args...), "HOME="+user)
}

// spent runs a program and says what it took.
func spent(path string, args []string, env ...string) ([]byte, cost, error) {
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s %v: %w: %s", filepath.Base(path), args, err, &complaints)
	}
	var took cost
	if state := cmd.ProcessState; state != nil {
		took.CPU = (state.UserTime() + state.SystemTime()).Seconds()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			took.Peak = float64(usage.Maxrss) / 1024
		}
	}
	return out.Bytes(), took, err
}
