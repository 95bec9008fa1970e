package terminal

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// Errors of Type: nothing was typed.
var (
	// ErrInterpreter says that what reads the terminal runs every line it is given.
	ErrInterpreter = errors.New("the program is a shell or an interpreter, which would run the text")
	// ErrNotInFront says that another program than the one that was started has the
	// terminal.
	ErrNotInFront = errors.New("another program has the terminal")
)

// process is a program that may read the terminal.
type process struct {
	path string   // of its file; "" when unknown
	args []string // with its name
}

// interpreters run the lines of a terminal, unless they were given a script. Shells
// that no list names are recognized by their job control.
var interpreters = strings.Fields(`ash bash busybox csh dash elvish fish ksh mksh nu osh oksh pwsh rbash sh tcsh xonsh yash zsh
	bpython bun deno erl ghci iex ipython irb jshell julia lua node ocaml octave perl php pry ptpython pypy python racket ruby scala tclsh`)

// consoles run the lines of a terminal whatever they were given.
var consoles = strings.Fields(`gdb lldb mariadb mongosh mysql psql redis-cli rlwrap sqlite`)

// interprets says whether a process runs the lines that are typed into it.
func (p process) interprets() bool {
	if len(p.args) == 0 {
		return false
	}
	script := p.script()
	for _, name := range []string{programName(p.path), programName(p.args[0])} {
		if slices.Contains(consoles, name) || slices.Contains(interpreters, name) && script == "" {
			return true
		}
		if slices.Contains(interpreters, name) {
			inner := programName(script)
			return slices.Contains(consoles, inner) || slices.Contains(interpreters, inner)
		}
	}
	return false
}

// script is what an interpreter was told to run instead of the terminal's lines;
// "" for nothing.
func (p process) script() string {
	rest := p.args[1:]
	if slices.Contains(rest, "-i") || slices.Contains(rest, "--interactive") {
		return ""
	}
	for i, arg := range rest {
		switch {
		case !strings.HasPrefix(arg, "-"):
			return arg
		case runsText(arg) && i+1 < len(rest):
			return rest[i+1]
		}
	}
	return ""
}

// runsText says whether an option is followed by a text or a module to run: -c, -lc,
// -e, -m.
func runsText(option string) bool {
	return !strings.HasPrefix(option, "--") && strings.ContainsAny(option[len(option)-1:], "cem")
}

// programName is a program's name without its folder and version: python3.12 is
// python, and -bash, as a login calls it, bash.
func programName(path string) string {
	name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".exe"), "-")
	return strings.TrimRight(name, "0123456789.-")
}
