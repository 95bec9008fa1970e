package output

import (
	"path"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// How systems say that something can't work here, whatever the code is like.

// Kinds of limits that others ask for.
const (
	TakenPort    = "port"                // it cannot be had
	NoRepository = "names no repository" // a forge's client knows none by the remotes
)

// CannotRun says that an output shows why a command could not do its work here: a limit of the
// environment, or a program that is not there.
func CannotRun(command, text string) bool {
	kind, _ := LimitIn(StripANSI(prose.Excerpt(text)))
	return kind != "" || MissingProgram(command, text) != ""
}

// limitForms are how systems say what is not possible here.
var limitForms = []limitForm{
	{"tool", lazyregexp.New(`\bposix_spawn\b|\bspawn \S+ (?:ENOENT|EACCES)|record exceeded|maximum buffer exceeded`)},
	{"no network", lazyregexp.New(`(?i)could not resolve (?:host|proxy)|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|temporary failure in name resolution|name or service not known|network is unreachable|\bno such host\b|ENETUNREACH|nodename nor servname`)},
	{TakenPort, lazyregexp.New(`(?i)address already in use|EADDRINUSE|(?:bind|listen)\b.*(?:operation not permitted|permission denied)|port \d+ is already (?:in use|allocated)`)},
	{"no display", lazyregexp.New(`(?i)cannot open display|missing X server|unable to open X display|no DISPLAY (?:environment )?variable`)},
	{"no disk space", lazyregexp.New(`(?i)no space left on device|ENOSPC|disk quota exceeded`)},
	{"read-only", lazyregexp.New(`(?i)read-only file ?system|EROFS`)},
	{"no Docker", lazyregexp.New(`(?i)cannot connect to the docker daemon|docker daemon is not running`)},
	{NoRepository, lazyregexp.New(`none of the git remotes configured`)},
	{"not logged in", lazyregexp.New(`(?i)could not read (?:username|password)|permission denied \(publickey|authentication (?:failed|required)|not logged in|gh auth login`)},
	{"not trusted", verdict.NotTrusted},
	{"signing", lazyregexp.New(`(?i)agent refused operation|gpg failed to sign|couldn't sign message`)},
	{"no permission", lazyregexp.New(`(?i)operation not permitted|permission denied|\bEACCES\b|\bEPERM\b|requires? (?:root|sudo)|must be root`)},
	{"no such task", verdict.NoSuchTask},
	{"another platform", lazyregexp.New(`(?i)exec format error|cannot execute binary file|bad CPU type in executable`)},
	{"toolchain", lazyregexp.New(`(?i)requires rustc \S+|requires? (?:go|node|python|java|ruby|php|xcode) ?(?:version )?(?:>=|v?\d)|unsupported (?:engine|class file)|EBADENGINE|GLIBC_\S+ not found|go\.mod requires go|no (?:such )?toolchain|rustc \S+ is not supported`)},
}

// LimitIn finds the line that shows a limit.
func LimitIn(text string) (kind, line string) {
	for l := range strings.Lines(text) {
		may := limitSet.May(l)
		if may.Empty() {
			continue
		}
		for n, f := range limitForms {
			if may.Has(n) && f.form.MatchString(l) {
				return f.kind, around(l, f.form)
			}
		}
	}
	return "", ""
}

// limitForm is how a line shows a limit of a kind.
type limitForm struct {
	kind string
	form *lazyregexp.Regexp
}

// limitSet are the limitForms by number.
var limitSet = lazyregexp.SetOf(limitForms, func(f limitForm) *lazyregexp.Regexp { return f.form })

// around is a line with what stands before and behind the words that count.
func around(line string, form *lazyregexp.Regexp) string {
	line = prose.OneLine(line)
	at := form.FindStringIndex(line)
	if at == nil || len(line) < limitWidth {
		return line
	}
	if from := at[0] - limitBefore; from > 0 {
		_, line, _ = strings.Cut(line[from:], " ")
		line = "…" + line
	}
	return line
}

// How much of a line is kept, and how much of it before the words that count,
// in bytes.
const (
	limitWidth  = 90
	limitBefore = 50
)

// notFound are the ways to say that a program is not there. zsh puts the name
// behind the message, the others before it, so zsh's form is tried first.
var notFound = []*lazyregexp.Regexp{
	lazyregexp.New(`command not found: ([\w.@/-]+)`),
	lazyregexp.New(`([\w.@/-]+): (?:command )?not found`),
	lazyregexp.New(`'([\w.-]+)' is not recognized`),
	lazyregexp.New(`exec: "([\w.-]+)": executable file not found`),
}

// MissingProgram names the program that the output of a command says is not there. A text in
// backticks that the shell took for one is none, nor is a function of the shell itself.
func MissingProgram(command, output string) string {
	_, name := saidNotFound(output)
	if name == "" || strings.Contains(command, "`"+name) || strings.HasPrefix(name, "__") {
		return ""
	}
	return path.Base(name)
}

// RanText is what a shell said of a text in backticks that it took for a command, "" where it
// did not.
func RanText(command, output string) string {
	said, name := saidNotFound(output)
	if name == "" || !strings.Contains(command, "`"+name) {
		return ""
	}
	return said
}

// saidNotFound is what an output says of a program that is not there, and its name, as it
// stands there.
func saidNotFound(output string) (said, name string) {
	for _, form := range notFound {
		if m := form.FindStringSubmatch(prose.Excerpt(output)); m != nil {
			return m[0], m[1]
		}
	}
	return "", ""
}
