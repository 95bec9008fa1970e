// Package verdict says what came of a tool call, once, for every section of
// the handoff. A status of 0 proves nothing where a pipe, `|| true` or `; echo`
// hides that of the check: there the output must say it.
package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Kind is what came of a call. The zero value is for events that are no
// results.
type Kind string

// The verdicts.
const (
	Passed    Kind = "passed"
	Failed    Kind = "failed"
	Refused   Kind = "refused"   // by the user
	Cancelled Kind = "cancelled" // interrupted, or a sibling of a failed call
	Denied    Kind = "denied"    // by a sandbox, a guard or a rule
	NoHit     Kind = "no hit"    // a look-up that found nothing
	Unseen    Kind = "not seen"  // it may have gone either way
)

// Verdict is what came of a call and why that is known.
type Verdict struct {
	Kind       Kind
	Check      Check  // what the call examined, "" for nothing
	Line       string // the line of the output that shows it, "" when the exit status does
	Location   string // of a check that failed: the first line that names a place in a file
	Hidden     bool   // the exit status of the check does not show
	Background bool   // it was only started
	Aside      Kind   // what came of a check of other code: between git stash and git stash pop
}

// interrupted is the exit status of a command that was stopped with Ctrl-C.
const interrupted = 130

// Of judges a result. Text is its output, bounded and without terminal control
// sequences; commands are those of its shell text.
func Of(call transcript.CallInfo, commands []shell.Command, result transcript.ResultInfo, text string) Verdict {
	v := Verdict{Check: checkOf(commands)}
	switch result.Outcome {
	case transcript.Rejected:
		v.Kind = Refused
	case transcript.Blocked:
		v.Kind = Denied
	case transcript.Cancelled, transcript.Interrupted:
		v.Kind = Cancelled
	case transcript.UnknownOutcome:
		v.Kind = Unseen
		if shown := shownBy(commands, Lines(text), v.Check); !result.Unseen && shown != "" {
			v.Kind = shown
		}
	}
	if v.Kind != "" {
		return v
	}
	if result.ExitCode != nil && *result.ExitCode == interrupted {
		v.Kind = Cancelled
		return v
	}
	lines := Lines(text)
	if started(lines) {
		v.Kind, v.Background = Unseen, true
		return v
	}
	v.decide(call, commands, result, text, lines)
	if v.Kind == Failed && v.Check != "" && slices.ContainsFunc(lines, func(line string) bool { return NoSuchTask.MatchString(line) || NotTrusted.MatchString(line) }) {
		v.Check, v.Location = "", "" // nothing was examined
	}
	if v.Check != "" && stashed(commands) {
		v.Aside, v.Kind = v.Kind, Unseen
	}
	return v
}

func (v *Verdict) decide(call transcript.CallInfo, commands []shell.Command, result transcript.ResultInfo, text string, lines []string) {
	switch {
	case result.Failed || result.ExitCode != nil && *result.ExitCode != 0:
		v.Kind = failing(call, commands, result, text)
		if s := read(lines, v.Check); v.Check != "" {
			v.Line, v.Location = cmp.Or(s.broken, s.shape), s.location
		}
	case call.Command == "":
		v.Kind = Passed
	case v.Check == "":
		v.Kind, v.Line = plain(commands, lines)
		if line := missing(commands, lines); line != "" && result.ExitCode == nil {
			v.Kind, v.Line = Failed, line
		}
	default:
		v.judge(commands, lines, result.ExitCode != nil)
	}
	if v.Kind == Failed {
		v.Line = label.ReplaceAllString(v.Line, "")
	}
}

func checkOf(commands []shell.Command) Check {
	best := Check("")
	for _, c := range commands {
		if found := Proves(c.Argv); found != "" && (best == "" || slices.Index(order, found) < slices.Index(order, best)) {
			best = found
		}
	}
	return best
}

// sandboxed are the words of sandboxes that deny a call.
var sandboxed = lazyregexp.New(`(?i)\b(?:denied|blocked|rejected|failed|not permitted) (?:by|in|inside) (?:the |a )?(?:\w+ )?sandbox|sandbox(?:ed)?(?:-exec)?[ :(]+(?:deny|denied|error|restrict)|\bsandbox (?:denied|blocked|prevents|forbids)`)

// unable is how a tool says that it could not look at all.
var unable = lazyregexp.New(`\bspawn|\bE(?:NOENT|ACCES|PERM|MFILE)\b|exceeded|[Tt]imed out|panic`)

// failing tells a failure from a look-up without a hit and a denial.
func failing(call transcript.CallInfo, commands []shell.Command, result transcript.ResultInfo, text string) Kind {
	switch {
	case call.Meaning == transcript.Search && !unable.MatchString(text):
		return NoHit
	case sandboxed.MatchString(text):
		return Denied
	case result.ExitCode != nil && *result.ExitCode == 1 && len(commands) > 0 && asks(commands[len(commands)-1].Argv):
		return NoHit
	case committedAlready(commands, text):
		return NoHit
	case stillPending(commands, result):
		return Unseen
	}
	return Failed
}

// stillPending says that gh was asked for the checks of a pull request and some have not
// ended, which it tells by a status of its own (gh-pr-checks(1): "8: Checks pending").
func stillPending(commands []shell.Command, result transcript.ResultInfo) bool {
	if result.ExitCode == nil || *result.ExitCode != 8 || len(commands) == 0 {
		return false
	}
	last := commands[len(commands)-1].Argv
	return shell.Family(last) == "gh pr" && slices.Contains(last, "checks")
}

// nothingLeft is what git commit says where there is nothing to commit.
var nothingLeft = lazyregexp.New(`(?m)^nothing (?:added )?to commit\b`)

// committedAlready says that all a command failed at was a commit of nothing.
func committedAlready(commands []shell.Command, text string) bool {
	return len(commands) > 0 && shell.Family(commands[len(commands)-1].Argv) == "git commit" && nothingLeft.MatchString(text)
}

// asks says that a command's status of 1 is its answer.
func asks(argv []string) bool {
	switch family := shell.Family(argv); family {
	case "git diff", "git check-ignore", "git grep", "git merge-base":
		return true
	case "git config": // without a value: git-config(1) ends with 1 where the key is not set
		return len(shell.Targets(argv)) < 2
	default:
		return shell.Probes[family]
	}
}

// stashed says that the work was put aside for the time of the call.
func stashed(commands []shell.Command) bool {
	aside := false
	for _, c := range commands {
		if shell.Family(c.Argv) != "git stash" {
			continue
		}
		if words := shell.Words(c.Argv); len(words) > 1 && (words[1] == "pop" || words[1] == "apply") {
			return aside
		}
		aside = true
	}
	return false
}

// plain judges a command that examines nothing and ended with status 0: where
// a pipe or a later command hides its own status, the line of a program that
// gave up tells.
func plain(commands []shell.Command, lines []string) (Kind, string) {
	hidden := false
	for i, c := range commands {
		family := shell.Family(c.Argv)
		if shell.Probes[family] || shell.Quiet[family] {
			continue
		}
		hidden = hidden || c.Hidden && !prints[family] && shell.FilterOf(commands, i).Pattern == ""
	}
	if alternative(commands) && excused(commands, lines) {
		return Unseen, ""
	}
	if hidden {
		for _, line := range lines {
			if gaveUp.in(lineOf(line)) {
				return Failed, line
			}
		}
	}
	return Passed, ""
}

// prints are programs whose output is the text of something else.
var prints = map[string]bool{
	"git log": true, "git show": true, "git diff": true, "git grep": true, "gh run": true, "gh api": true, "gh pr": true, "gh issue": true, "docker logs": true, "podman logs": true,
	"kubectl logs": true, "journalctl": true, "curl": true, "wget": true, "docker compose": true, "kubectl describe": true, "python": true, "sqlite3": true, "psql": true,
}

// judge decides on a check that ended with status 0, or that has none.
func (v *Verdict) judge(commands []shell.Command, lines []string, known bool) {
	checks := checksIn(commands)
	if line := missing(commands, lines); line != "" {
		v.Kind, v.Line = Failed, line
		return
	}
	if v.Check == Format && (listsUnformatted(commands, lines) || showsDiff(commands, lines)) {
		v.Kind, v.Line = Failed, "not formatted: "+lines[0]
		return
	}
	if v.Check == Test && noneRan(lines) {
		v.Kind = Unseen
		return
	}
	status, proved, rest := printed(commands, checks, lines)
	if proved { // what else went wrong is of the commands behind it
		v.Kind = Passed
		return
	}
	v.Hidden = status == "" && slices.ContainsFunc(checks, func(at int) bool { return commands[at].Hidden })
	s := read(rest, v.Check)
	defer func() {
		if v.Kind == Failed {
			v.Location = s.location
		}
	}()
	switch {
	case status == Failed:
		v.Kind, v.Line = Failed, s.broken
	case !v.Hidden && s.broken != "" && (v.Check == Test || !known):
		v.Kind, v.Line = Failed, s.broken
	case !known && !v.Hidden && s.sound == "" && lastWords(rest) != "":
		v.Kind, v.Line = Failed, lastWords(rest)
	case !v.Hidden && (known || status == Passed || s.sound != "" || s.shape == ""):
		v.Kind, v.Line = Passed, s.sound
	case s.broken != "":
		v.Kind, v.Line = Failed, s.broken
	case s.sound != "":
		v.Kind, v.Line = Passed, s.sound
	case s.shape != "":
		v.Kind, v.Line = Failed, s.shape
	case s.part != "" && seenWhole(commands, checks, len(rest)), len(rest) == 0 && v.Check != Test && !excused(commands, lines) && unfiltered(commands, checks):
		v.Kind, v.Line = Passed, s.part
	default:
		v.Kind = Unseen
	}
}

// checksIn are the places of the checks among the commands.
func checksIn(commands []shell.Command) []int { return placesOf(commands, Proves) }

// printed reads what echo says of the checks: their exit status, or a word
// after && or ||; all says that words after && prove each of them. It returns the
// other lines.
func printed(commands []shell.Command, checks []int, lines []string) (verdict Kind, all bool, rest []string) {
	proved := map[int]bool{}
	for _, e := range shell.Echoes(commands) {
		at := slices.IndexFunc(lines, e.Says)
		if at < 0 {
			continue
		}
		line := lines[at]
		if lines = slices.Delete(slices.Clone(lines), at, at+1); e.If == "||" {
			lines = slices.DeleteFunc(lines, e.Says) // words for a failure, be they of success
		}
		if !slices.Contains(checks, e.Of) {
			continue
		}
		switch status, ok := e.StatusIn(line); {
		case ok && status != 0, !ok && e.If == "||":
			verdict = Failed
		case ok, e.If == "&&" && (e.Of == 0 || commands[e.Of-1].Next != "|"):
			proved[e.Of] = true
			all = !ok
		}
	}
	all = all && !slices.ContainsFunc(checks, func(at int) bool { return !proved[at] })
	if verdict == "" && !slices.ContainsFunc(checks, func(at int) bool { return commands[at].Hidden && !proved[at] }) {
		verdict = Passed
	}
	return verdict, all && verdict == Passed, lines
}

// seenWhole says that the lines of the parts are all there: no grep, no head
// that may have left some out.
func seenWhole(commands []shell.Command, checks []int, lines int) bool {
	return !slices.ContainsFunc(checks, func(at int) bool {
		f := shell.FilterOf(commands, at)
		lets := strings.Contains(strings.ToLower(f.Pattern), "fail")
		return f.Other || f.Pattern != "" && !lets || f.Head > 0 && lines >= f.Head
	})
}

// unfiltered says that an output was not filtered, sent elsewhere or dropped,
// so that an empty one means that there was nothing to say.
func unfiltered(commands []shell.Command, checks []int) bool {
	return !slices.ContainsFunc(checks, func(at int) bool {
		c := commands[at]
		return !shell.FilterOf(commands, at).Whole() || c.Muted || len(c.Writes) > 0 || c.Next == "&"
	})
}

// started says that a call only put something into the background.
func started(lines []string) bool {
	head, last := lines[:min(len(lines), 4)], lines[max(0, len(lines)-1):]
	return slices.ContainsFunc(head, background.MatchString) || slices.ContainsFunc(last, handle.MatchString)
}

var background = lazyregexp.New(`(?i)\b(?:running in (?:the )?background|launched in (?:the )?background|moved to (?:the )?background|in background with id|async agent launched|process running with session id|started in (?:the )?background)\b`)

// handle is the last line of an output that goes on: it names the shell to ask.
var handle = lazyregexp.New(`(?i)^<(?:command )?(?:with )?shellId: \S+ is still running\b|^<command (?:started|with|is) .*\bshellId: `)
