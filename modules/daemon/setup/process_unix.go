//go:build unix

package setup

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the daemon a session of its own, so that closing the terminal
// does not end it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func interrupt(process *os.Process) error { return process.Signal(syscall.SIGTERM) }
