package terminal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// readers are the program and those it started that read a terminal and are in front
// there, in terminals that it made too.
func (s *Session) readers() []process {
	entries, _ := os.ReadDir("/proc")
	states := map[int]state{}
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			states[pid] = stateOf(pid)
		}
	}
	var found []process
	for pid, state := range states {
		if state.inFront() && descends(states, pid, s.pid) && readsTerminal(pid) {
			found = append(found, look(pid))
		}
	}
	return found
}

// state is where a process stands.
type state struct{ parent, group, terminal, front int }

// inFront says whether the process has the terminal it belongs to.
func (s state) inFront() bool { return s.terminal != 0 && s.group == s.front }

// stateOf reads /proc/PID/stat, as proc_pid_stat(5) describes it; the zero value is
// a process that is gone.
func stateOf(pid int) state {
	stat, _ := os.ReadFile(procPath(pid, "stat"))
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // a name may hold anything
	if len(fields) < 6 {
		return state{}
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i]); return n }
	return state{parent: number(1), group: number(2), terminal: number(4), front: number(5)}
}

// maxDepth bounds a chain of parents: numbers are reused while they are read.
const maxDepth = 64

func descends(states map[int]state, pid, from int) bool {
	for range maxDepth {
		if pid == from {
			return true
		}
		pid = states[pid].parent
	}
	return false
}

// readsTerminal says whether a process has a terminal as its input. Another user's
// process, which cannot be looked at, may have.
func readsTerminal(pid int) bool {
	input, err := os.Readlink(procPath(pid, "fd/0"))
	return err != nil || strings.HasPrefix(input, "/dev/pts/") || input == "/dev/tty"
}

// look says what a process is. One that ignores the signal with which the terminal
// stops background jobs controls jobs itself: it is a shell, whatever its name.
func look(pid int) process {
	if controlsJobs(pid) {
		return process{args: []string{"sh"}}
	}
	path, _ := os.Readlink(procPath(pid, "exe"))
	line, _ := os.ReadFile(procPath(pid, "cmdline"))
	return process{path: strings.TrimSuffix(path, " (deleted)"), args: strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")}
}

// controlsJobs says whether a process chose itself to ignore that signal. Where
// Carryover was started with it ignored, as by tmux, everybody does.
func controlsJobs(pid int) bool { return ignoresStops(pid) && !ignoresStops(os.Getpid()) }

func ignoresStops(pid int) bool {
	status, _ := os.ReadFile(procPath(pid, "status"))
	_, rest, _ := strings.Cut(string(status), "\nSigIgn:\t")
	mask, _, _ := strings.Cut(rest, "\n")
	ignored, err := strconv.ParseUint(mask, 16, 64)
	return err == nil && ignored&(1<<(syscall.SIGTTOU-1)) != 0
}

func procPath(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}
