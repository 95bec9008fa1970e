package hookclient

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// unattended names, by tool, the options with which a program takes a prompt
// and nobody's answer, where neither the environment nor the transcript says
// so. They are those of the specs.
var unattended = map[string][]string{
	"copilot-cli": {"-p", "--prompt"},
	"gemini-cli":  {"-p", "--prompt"},
}

// maxAncestors bounds how far up the agent is looked for: it runs a hook in a
// shell, itself or through a launcher of its own.
const maxAncestors = 4

// shells are the programs between an agent and its hooks.
var shells = []string{"bash", "sh", "dash", "zsh", "ash"}

// unattended says whether the agent was started for one prompt that nobody
// stays to talk about. Where no command line can be read (/proc is Linux'), it
// is taken to be attended.
func (c Call) unattended() bool {
	options := unattended[c.Tool]
	if options == nil || c.Caller == nil {
		return false
	}
	for _, word := range c.Caller() {
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
// value behind a sign, or in a row of single letters.
func sets(word, option string) bool {
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

// callerWords are the words behind the name of the program that runs this hook.
func callerWords() []string {
	pid := os.Getppid()
	for range maxAncestors {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err != nil {
			return nil
		}
		words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		if !slices.Contains(shells, filepath.Base(words[0])) {
			return words[1:]
		}
		if pid = parentOf(pid); pid <= 1 {
			return nil
		}
	}
	return nil
}

// parentOf reads a process' parent, 0 when it cannot be known. The name before
// it is free text in parentheses.
func parentOf(pid int) int {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
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
