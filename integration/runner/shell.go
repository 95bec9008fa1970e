package runner

import (
	"path/filepath"
	"strings"
	"testing"
)

// ShellAgent is an agent that nobody knows: a script that reads a line at a
// time, answers, and keeps no transcript.
type ShellAgent struct {
	*Home
	script string
	heard  string // each line it received
}

// shellAgent answers a line that begins with a prompt by what stands below
// its name in the home.
const shellAgent = `#!/bin/sh
while printf 'you> ' && IFS= read -r line; do
  printf '%s\n' "$line" >>"$HOME/heard"
  for answer in "$HOME"/answers/*; do
    case $line in "${answer##*/}"*) cat "$answer" ;; esac
  done
done
`

// NewShellAgent prepares one in a home.
func NewShellAgent(t testing.TB, home *Home) *ShellAgent {
	t.Helper()
	a := &ShellAgent{Home: home, script: filepath.Join(home.Dir, "shell-agent"), heard: filepath.Join(home.Dir, "heard")}
	home.Write(a.script, shellAgent)
	home.Write(filepath.Join(home.Dir, "answers", "none"), "")
	return a
}

// Answers says what it prints when it gets a line that begins with a prompt.
func (a *ShellAgent) Answers(prompt, text string) {
	a.t.Helper()
	a.Write(filepath.Join(a.Dir, "answers", prompt), text+"\n")
}

// Wrap opens it under `carryover run`, as an agent of a name.
func (a *ShellAgent) Wrap(project, name string) *Terminal {
	a.t.Helper()
	return a.OpenProgram(project, a.Env(), filepath.Join(Programs(a.t), "carryover"), "run", "--name", name, "--", "sh", a.script)
}

// Heard are the lines it received since the last Forget, by a person or by
// Carryover.
func (a *ShellAgent) Heard() []string {
	return strings.Split(a.Read(a.heard), "\n")
}

// Forget empties Heard.
func (a *ShellAgent) Forget() {
	a.t.Helper()
	a.Write(a.heard, "")
}
