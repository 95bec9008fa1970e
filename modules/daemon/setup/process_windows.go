package setup

import (
	"os"
	"os/exec"
	"syscall"
)

// Flags of CreateProcess: a group of its own, so that Ctrl-C does not reach the
// daemon, and no console that would flash up.
const (
	createNewProcessGroup = 0x00000200
	createNoWindow        = 0x08000000
)

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: createNewProcessGroup | createNoWindow, HideWindow: true}
}

func interrupt(process *os.Process) error { return process.Kill() }
