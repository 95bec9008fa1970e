package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// What an output tells of a failure that no status does.

// listsUnformatted says that a formatter of Go was asked which files are not formatted,
// which it does with status 0, and named some: gofmt(1), -l.
func listsUnformatted(commands []shell.Command, lines []string) bool {
	asked := slices.ContainsFunc(commands, func(c shell.Command) bool {
		prog := shell.Program(shell.Unwrap(c.Argv))
		return (prog == "gofmt" || prog == "gofumpt" || prog == "goimports") && slices.Contains(c.Argv, "-l") && !slices.Contains(c.Argv, "-w")
	})
	return asked && len(lines) > 0 && !slices.ContainsFunc(lines, func(line string) bool {
		return strings.ContainsAny(line, " \t:") || !strings.HasSuffix(line, ".go")
	})
}

// excused says that words were printed that stand behind || for a command that fails, and so prove
// no success whatever they say: `timeout 3 ./shop || echo "it starts"`.
func excused(commands []shell.Command, lines []string) bool {
	return slices.ContainsFunc(shell.Echoes(commands), func(e shell.Echo) bool {
		return e.If == "||" && e.Of >= 0 && !shell.Probes[shell.Family(commands[e.Of].Argv)] && slices.ContainsFunc(lines, e.Says)
	})
}

// alternative says that a text is one chain of && and pipes with words behind || for all of it.
func alternative(commands []shell.Command) bool {
	last := len(commands) - 1
	for i, c := range commands[:max(0, last)] {
		if c.Next == "||" {
			return i == last-1
		}
		if c.Next != "&&" && c.Next != "|" {
			return false
		}
	}
	return false
}

// lastWords is the line with which a program gave up, where all that follows is advice on how to
// run it: nothing was done after it, whatever is known of the status.
func lastWords(lines []string) string {
	for _, line := range slices.Backward(lines) {
		switch {
		case gaveUp.in(lineOf(line)):
			return line
		case !advice.MatchString(line):
			return ""
		}
	}
	return ""
}

var advice = lazyregexp.New(`(?i)^(?:\s|usage\b|for more information\b|run '|see |tip:|hint:|help:|note:)`)

// NoSuchTask is how a runner of tasks says that it has none of that name.
var NoSuchTask = lazyregexp.New(`(?i)\bmissing script: |couldn't find a script named|script not found "|error Command "\S+" not found|no rule to make target .*\bstop\.|does not contain recipe|no such (?:sub)?command: |task "\S+" does not exist|\bno task \S+ found`)

// NotTrusted is how mise and direnv say that they do nothing in a folder that nobody has allowed yet.
var NotTrusted = lazyregexp.New(`^(?:mise ERROR )?Config files? .*\b(?:is|are) not trusted\b|\.envrc is blocked\b`)

// missing is the line in which a shell says that the program of one of the
// commands is not there.
func missing(commands []shell.Command, lines []string) string {
	for _, line := range lines {
		m := notFound.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := cmp.Or(m[1], m[2])
		if slices.ContainsFunc(commands, func(c shell.Command) bool {
			return !c.Hidden && shell.Program(shell.Unwrap(c.Argv)) == name
		}) {
			return line
		}
	}
	return ""
}

var notFound = lazyregexp.New(`^\S+:(?:\d+:)? command not found: (\S+)$|(?:^|: )([\w.@/-]+): (?:command )?not found$`)
