package hookclient

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Caller is the agent that runs a hook, as far as the system tells. Its zero
// value is one of which nothing is known.
type Caller struct {
	Words []string // of its command line, the program's name first
	Piped bool     // its standard input is no terminal
}

// headlessFlags is how a program is known by its command line to run with
// nobody to answer.
type headlessFlags struct {
	program string   // its name
	options []string // with which it takes one prompt
	piped   bool     // it takes one from its standard input, too
	serves  []string // but with these another program speaks to it for a person
}

// unattended says whether the agent was started for one prompt that nobody
// stays to talk about. Where nothing of another program can be read (/proc is
// Linux'), it is taken to be attended.
func (c Call) unattended() bool {
	known, ok := commandLines[c.Tool]
	if !ok || c.Caller == nil {
		return false
	}
	caller := c.Caller()
	if len(caller.Words) == 0 {
		return false
	}
	return has(caller.Words, known.options) || known.piped && caller.Piped && named(caller.Words, known.program) && !has(caller.Words, known.serves)
}

// has says whether a command line sets one of some options.
func has(words, options []string) bool {
	for _, word := range words[1:] {
		if word == "--" {
			return false
		}
		if slices.ContainsFunc(options, func(option string) bool { return sets(word, option) }) {
			return true
		}
	}
	return false
}

// sets says whether a word of a command line sets an option: alone, with its
// value behind a sign, or in a row of single letters. One without a hyphen is a
// command of the program's.
func sets(word, option string) bool {
	if !strings.HasPrefix(option, "-") {
		return word == option
	}
	if strings.HasPrefix(option, "--") {
		return word == option || strings.HasPrefix(word, option+"=")
	}
	letters, single := strings.CutPrefix(word, "-")
	if !single || strings.HasPrefix(letters, "-") {
		return false
	}
	letter := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
	return strings.Contains(letters, option[1:]) && strings.TrimLeftFunc(letters, letter) == ""
}

// named says whether a command line is a program's own: its name comes first,
// or behind that of an interpreter and its options. Other programs have agents
// built in.
func named(words []string, program string) bool {
	for _, word := range words {
		if filepath.Base(word) == program {
			return true
		}
		if word != words[0] && !strings.HasPrefix(word, "-") {
			return false
		}
	}
	return false
}

// maxAncestors bounds how far up the agent is looked for: it runs a hook in a
// shell, itself or through a launcher of its own.
const maxAncestors = 4

// shells are the programs between an agent and its hooks.
var shells = []string{"bash", "sh", "dash", "zsh", "ash"}

// caller finds the program that runs this hook.
func caller() Caller {
	pid := os.Getppid()
	for range maxAncestors {
		process := filepath.Join("/proc", strconv.Itoa(pid))
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		if err != nil {
			return Caller{}
		}
		words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		if !slices.Contains(shells, filepath.Base(words[0])) {
			return Caller{Words: words, Piped: piped(filepath.Join(process, "fd", "0"))}
		}
		if pid = parentOf(process); pid <= 1 {
			return Caller{}
		}
	}
	return Caller{}
}

// piped says whether a file that a process has open is known to be no terminal.
func piped(file string) bool {
	target, err := os.Readlink(file)
	return err == nil && !strings.HasPrefix(target, "/dev/pts/") && !strings.HasPrefix(target, "/dev/tty") && target != "/dev/console"
}

// parentOf reads a process' parent, 0 when it cannot be known. The name before
// it is free text in parentheses.
func parentOf(process string) int {
	stat, err := os.ReadFile(filepath.Join(process, "stat"))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return parent
}
