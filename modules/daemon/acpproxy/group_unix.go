//go:build unix

package acpproxy

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup lets the agent begin a group of processes: adapters start the program that
// they stand for, and both are to end.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(agent *os.Process) { _ = syscall.Kill(-agent.Pid, syscall.SIGTERM) }

func kill(agent *os.Process) { _ = syscall.Kill(-agent.Pid, syscall.SIGKILL) }
