//go:build !unix

package acpproxy

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func terminate(agent *os.Process) { _ = agent.Kill() }

func kill(agent *os.Process) { _ = agent.Kill() }
