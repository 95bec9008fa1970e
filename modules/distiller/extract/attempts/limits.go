package attempts

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Limits are what can't work in this environment: no network, a port that is
// taken, a program or a task that is not there, no display, no permission, no disk
// space, a sandbox or a guard that refuses. The words are the system's own (the texts
// of errno, of the resolver, of a shell, of the runners of tasks), so they are the same
// for every tool.
//
//   - The last line that showed a limit is kept, one for each kind and program.
//   - It is gone once the program does what it could not: the same family of
//     commands passes, or a missing program runs; a port that is taken, once something
//     was killed. A command that fails for another reason now has got past the first.
type Limits struct {
	list []limitSeen
}

type limitSeen struct {
	kind   string
	family string
	name   string   // the program that is missing
	args   []string // what it was given
	other  string   // the program that took the same
	target string   // the address that a guard kept a call from
	line   string
	what   string
	calls  int
	src    distiller.Source
}

const (
	maxLimits   = 12
	shownLimits = 4
)

// undecided is the kind of a guard that could not decide: once anything runs it is over.
const undecided = "a guard could not decide"

// guarded is the kind of a guard that let something not through.
const guarded = "refused by a guard"

// kills says that a command ends another program.
func kills(cmd shell.Command) bool {
	switch shell.Program(shell.Unwrap(cmd.Argv)) {
	case "kill", "pkill", "killall", "fuser", "taskkill":
		return true
	case "xargs":
		return slices.Contains(cmd.Argv, "kill")
	}
	return false
}

// Add takes one more event.
func (l *Limits) Add(e *timeline.Event) {
	if e.Kind != transcript.Result || e.ToolCall == nil || e.ToolCall.Subagent || e.Result == nil {
		return
	}
	switch e.Verdict.Kind {
	case verdict.Failed, verdict.Denied:
		l.see(e)
	case verdict.Passed:
		l.seeNoRepository(e)
		if slices.ContainsFunc(e.ToolCall.Commands, kills) { // what held the port is gone
			l.list = slices.DeleteFunc(slices.Clone(l.list), func(old limitSeen) bool { return old.kind == output.TakenPort })
		}
		if l.instead(e.ToolCall); !e.ToolCall.ByUser { // what the person can do the agent may still not
			l.lift(e.ToolCall)
		}
	case verdict.Unseen: // it runs
		l.instead(e.ToolCall)
	}
}

// seeNoRepository notes that gh found no repository by the remotes, whatever else was run with it,
// and which one it was given then.
func (l *Limits) seeNoRepository(e *timeline.Event) {
	for _, cmd := range e.ToolCall.Commands {
		argv := shell.Unwrap(cmd.Argv)
		if client := shell.Program(argv); client != "gh" && client != "glab" {
			continue
		}
		if kind, line := output.LimitIn(output.StripANSI(prose.Excerpt(e.Result.Text))); kind == output.NoRepository {
			l.note(limitSeen{kind: kind, family: shell.Family(argv), line: line, what: e.ToolCall.What(), calls: e.Calls, src: e.ToolCall.Source})
			return
		}
		for i, old := range l.list {
			if repo := repositoryOf(argv); old.kind == output.NoRepository && repo != "" {
				l.list = slices.Clone(l.list)
				l.list[i].other = argv[0] + " " + repo
			}
		}
	}
}

// repositoryOf is the flag with which a forge's client was given a repository, "" without.
func repositoryOf(argv []string) string {
	for i, word := range argv {
		switch {
		case (word == "-R" || word == "--repo") && i+1 < len(argv):
			return word + " " + argv[i+1]
		case strings.HasPrefix(word, "--repo="):
			return word
		}
	}
	return ""
}

// instead notes the program that was given what a missing one was, or what a guard had kept
// another call from.
func (l *Limits) instead(c *timeline.OpenCall) {
	for i, old := range l.list {
		if old.name == "" && old.target == "" || old.other != "" {
			continue
		}
		at := slices.IndexFunc(c.Commands, func(cmd shell.Command) bool {
			return old.name != "" && sameArgs(cmd, old.args) || old.target != "" && slices.Contains(cmd.Argv, old.target)
		})
		if at >= 0 {
			l.list = slices.Clone(l.list)
			l.list[i].other = path.Base(c.Commands[at].Argv[0])
		}
	}
}

func (l *Limits) see(e *timeline.Event) {
	found := limitSeen{family: e.ToolCall.Family, what: e.ToolCall.What(), calls: e.Calls, src: e.ToolCall.Source}
	text := output.StripANSI(prose.Excerpt(e.Result.Text))
	name, ran := output.MissingProgram(e.ToolCall.Info.Command, text), output.RanText(e.ToolCall.Info.Command, text)
	switch {
	case name == "" && ran != "":
		found.kind, found.line = "backticks inside double quotes are run by the shell", ran
	case name != "" && e.ToolCall.Info.Command != "":
		found.kind, found.name, found.line = "not installed", name, name
		found.args = argsOf(e.ToolCall, name)
	case e.Verdict.Kind == verdict.Denied && shell.Probes[e.ToolCall.Family]:
		return // another tool looks instead
	case e.Verdict.Kind == verdict.Denied && outage.MatchString(text):
		found.kind, found.line = undecided, prose.OneLine(text)
	case e.Verdict.Kind == verdict.Denied:
		found.kind, found.line, found.target = guarded, prose.OneLine(text), e.ToolCall.Info.Detail
	default:
		found.kind, found.line = output.LimitIn(text)
	}
	if e.Verdict.Kind == verdict.Failed {
		l.list = slices.DeleteFunc(slices.Clone(l.list), func(old limitSeen) bool {
			return old.what == found.what && (old.kind != found.kind || old.name != found.name)
		})
	}
	if found.kind == "" || e.ToolCall.Info.Command == "" && e.Verdict.Kind != verdict.Denied && found.kind != "tool" {
		return
	}
	l.note(found)
}

// outage is how a guard says that it could not decide just now.
var outage = lazyregexp.New(`(?i)\btemporarily (?:unavailable|unable)\b`)

// note keeps a limit, in place of an earlier sight of it.
func (l *Limits) note(found limitSeen) {
	l.list = slices.DeleteFunc(slices.Clone(l.list), func(old limitSeen) bool {
		same := old.kind == found.kind && old.name == found.name && old.family == found.family
		if same {
			found.other = old.other
		}
		return same
	})
	l.list = bounded.Limit(append(l.list, found), maxLimits)
}

// lift takes limits off that a call which passed did not meet.
func (l *Limits) lift(c *timeline.OpenCall) {
	if len(l.list) == 0 || c.Info.Command == "" {
		return
	}
	l.list = slices.DeleteFunc(slices.Clone(l.list), func(old limitSeen) bool {
		if old.name != "" && old.what == c.What() {
			return true // the same works now, whatever it lacked
		}
		return slices.ContainsFunc(c.Commands, func(cmd shell.Command) bool {
			if old.name != "" {
				return !cmd.Hidden && len(cmd.Argv) > 0 && path.Base(shell.Program(shell.Unwrap(cmd.Argv))) == old.name
			}
			if old.kind == output.NoRepository { // it got through once the repository was named
				return old.src != c.Source && old.other == "" && repositoryOf(cmd.Argv) == "" && sameForge(shell.Family(cmd.Argv), old.family)
			}
			return old.kind == undecided || old.family != "" && (shell.Family(cmd.Argv) == old.family || sameForge(shell.Family(cmd.Argv), old.family)) && old.kind != guarded
		})
	})
}

// Missing lists the programs that were not found.
func (l *Limits) Missing() []string {
	var out []string
	for _, s := range l.list {
		if s.name != "" && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// Facts are the newest limits that still hold; of a program that works otherwise none does.
func (l *Limits) Facts(worksOtherwise func(program string) bool) []distiller.Statement {
	var out []distiller.Statement
	var missing []string
	for _, s := range slices.Backward(l.list) {
		if len(out) == shownLimits {
			break
		}
		if s.name != "" {
			if !slices.Contains(missing, s.name) && !worksOtherwise(s.name) {
				missing = append(missing, s.name)
				text := "`" + s.name + "` is not installed"
				if s.other != "" {
					text += ", `" + s.other + "` works in its place"
				}
				out = append(out, distiller.Statement{Text: text, Source: s.src})
			}
			continue
		}
		if s.kind == output.NoRepository && s.other != "" {
			out = append(out, distiller.Statement{Text: prose.Clip(s.line, 60) + ": `" + s.other + "` works", Source: s.src})
			continue
		}
		if s.kind == guarded && s.other != "" {
			out = append(out, distiller.Statement{Text: s.kind + ": " + prose.Code(s.what, 50) + ", `" + s.other + "` works in its place", Source: s.src})
			continue
		}
		text := strings.TrimSuffix(s.kind+": "+prose.Code(s.what, 50)+": "+prose.Clip(s.line, 90), ": ")
		out = append(out, distiller.Statement{Text: text, Source: s.src})
	}
	return out
}
