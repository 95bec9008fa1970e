package attempts

import (
	"path"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/modules/distiller/verdict"
)

// mended lets go of a run whose failing tests have passed since, by name: what else a
// filtered run did does not matter.
func (f *Failures) mended(e *timeline.Event) {
	if len(e.Test.Passed) == 0 || e.Verdict.Aside != "" {
		return
	}
	for _, fl := range f.list {
		if len(fl.tests) > 0 && !slices.ContainsFunc(fl.tests, func(name string) bool { return !slices.Contains(e.Test.Passed, name) }) {
			fl.makeGood(e.Calls)
		}
	}
}

// unverified says that a commit was made past the hooks that check it.
func unverified(c *timeline.OpenCall) bool {
	return slices.ContainsFunc(c.Commands, func(cmd shell.Command) bool {
		return shell.Family(cmd.Argv) == "git commit" && slices.ContainsFunc(cmd.Argv, func(w string) bool { return w == "--no-verify" || w == "-n" })
	})
}

// force notes that what a commit failed by was gone past: nothing was made good.
func (f *Failures) force() {
	for _, fl := range f.list {
		if fl.commits && !fl.over && !fl.forced {
			fl.forced = true
			fl.Why = "committed past it with --no-verify; " + fl.Why
		}
	}
}

// makeGood ends a failure: it is listed a little longer.
func (fl *Failure) makeGood(calls int) {
	fl.over, fl.calls = true, max(fl.calls, calls-endedShown/2)
}

// solvedBy names the call that made a failure good, "" when it did not; vague says that it did
// another thing, or to something else.
func (fl *Failure) solvedBy(c *timeline.OpenCall) (by string, vague bool) {
	if c.Info.Command == "" {
		if fl.family == "" && len(fl.paths) == 0 && strings.HasPrefix(fl.What, c.Info.Name+" ") || fl.What == c.Info.Name {
			return c.What(), false
		}
		return "", false
	}
	for _, cmd := range c.Commands {
		argv := shell.Unwrap(cmd.Argv)
		fam := shell.Family(cmd.Argv)
		if asksAbout(argv) && !prose.HasAny(fl.What, argv[len(argv)-1]) {
			continue // what a program tells of itself makes nothing good
		}
		if fl.missing != "" && len(argv) > 0 && (path.Base(argv[0]) == fl.missing || sameArgs(cmd, fl.args)) {
			return c.What(), false
		}
		if fam == "" || !sameFamily(fam, fl.family) && !covers(fam, fl.family) && (!fl.CannotRun() || !sameForge(fam, fl.family)) || fl.missing != "" {
			continue
		}
		if onForge(fl.family) && fl.verb != "" && !fl.CannotRun() && verbOf(cmd.Argv) != fl.verb {
			continue // to look at a pull request makes none of its checks pass
		}
		if targets := shell.Targets(cmd.Argv); !fl.Check || wider(targets, fl.targets) || holdsAll(targets, fl.named) {
			return c.What(), !fl.Check && !fl.alikeIn(cmd)
		}
	}
	return "", false
}

// alikeIn says that a command does what the failed one was to do: the same verb, to something of
// the same or to whatever there is.
func (fl *Failure) alikeIn(cmd shell.Command) bool {
	if fl.CannotRun() {
		return true // that anything gets through is all that was wanted
	}
	did := verbOf(cmd.Argv)
	operands := func(targets []string) (out []string) {
		for _, t := range targets {
			if t != fl.verb && t != did && !strings.HasPrefix(t, shell.FilterMark) {
				name, _, _ := strings.Cut(t, "@") // another version is of the same thing
				out = append(out, name)
			}
		}
		return out
	}
	before, now := operands(fl.targets), operands(shell.Targets(cmd.Argv))
	return (fl.verb == "" || did == fl.verb) &&
		(len(before) == 0 || len(now) == 0 || slices.ContainsFunc(now, func(t string) bool { return slices.Contains(before, t) }))
}

// asksAbout says that a command only asks a program for its help or its version.
func asksAbout(argv []string) bool {
	n := len(argv)
	return n > 1 && slices.Contains([]string{"--help", "-h", "help", "--version", "-V", "version"}, argv[n-1])
}

// holdsAll says that targets are the files that a check complained of, or folders that hold
// them: to format these makes it pass, whatever else it looked at.
func holdsAll(targets, named []string) bool {
	return len(named) > 0 && len(targets) > 0 && !slices.ContainsFunc(named, func(file string) bool {
		return !slices.ContainsFunc(targets, func(target string) bool {
			target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
			return file == target || strings.HasPrefix(file, target+"/")
		})
	})
}

// narrow takes the files out of those that a linter complained of which it has accepted since, one
// by one.
func (fl *Failure) narrow(c *timeline.OpenCall) {
	if len(fl.named) < 2 || !lints(fl.family) {
		return
	}
	for _, cmd := range c.Commands {
		targets := shell.Targets(cmd.Argv)
		if !sameFamily(shell.Family(cmd.Argv), fl.family) || len(targets) == 0 {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(fl.named), func(file string) bool {
			return slices.ContainsFunc(targets, func(target string) bool {
				return file == target || strings.HasSuffix(file, "/"+strings.TrimPrefix(target, "./"))
			})
		})
		if n := len(left); n > 0 && n < len(fl.named) {
			if fl.named = left; !slices.ContainsFunc(left, func(file string) bool { return strings.Contains(fl.Why, path.Base(file)) }) {
				fl.Why = "still in " + strings.Join(left, ", ")
			}
		}
	}
}

// runs lets a call whose end is not seen stand for a missing program: it has begun. A command
// that runs in the background once more, with whatever redirections, has not failed again.
func (f *Failures) runs(e *timeline.Event) {
	c := e.ToolCall
	for _, fl := range f.list {
		if e.Verdict.Background && !fl.Check && (fl.key == c.What() || fl.missing == "" && fl.family != "" && fl.family == c.Family && fl.verb == verbOf(c.Primary.Argv) && slices.Equal(fl.targets, shell.Targets(c.Primary.Argv))) {
			fl.makeGood(e.Calls)
		}
		if fl.Check && fl.family == c.Family && slices.Equal(fl.targets, shell.Targets(c.Primary.Argv)) {
			fl.turn = e.Turn // it is being looked into
		}
		if fl.missing != "" && fl.solved == "" && !fl.over {
			fl.solved, fl.vague = fl.solvedBy(c)
		}
	}
}

// argsOf is what a program was given in a call, nil where it was not run by itself.
func argsOf(c *timeline.OpenCall, program string) []string {
	for _, cmd := range c.Commands {
		if len(cmd.Argv) > 0 && path.Base(cmd.Argv[0]) == program {
			return cmd.Argv[1:]
		}
	}
	return nil
}

// sameArgs says that a program was given what another one was; nothing is no likeness.
func sameArgs(cmd shell.Command, args []string) bool {
	return len(args) > 0 && len(cmd.Argv) > 0 && slices.Equal(cmd.Argv[1:], args)
}

// covers says that a test run or a build proves what another build or a check of types
// does: the same program has to compile the same targets first.
func covers(run, fam string) bool {
	prog, _, _ := strings.Cut(fam, " ")
	runner, _, sub := strings.Cut(run, " ")
	proves := verdict.CheckOf(strings.Fields(run))
	if !sub || prog != runner || proves != verdict.Test && proves != verdict.Build {
		return false
	}
	switch verdict.CheckOf(strings.Fields(fam)) {
	case verdict.Build, verdict.Types:
		return prog != "npm" && prog != "pnpm" && prog != "yarn" && prog != "mise" && prog != "just" && prog != "task" && prog != "make"
	}
	return false
}

// sameFamily says that two families do the same thing: managers of
// dependencies have several commands that bring them in.
func sameFamily(a, b string) bool {
	return a == b || installs(a) != "" && installs(a) == installs(b)
}

// sameForge says that two families speak to the same forge: where one of them gets through,
// a login or a name of the repository was all the other one lacked. What only looks at the
// client itself proves nothing.
func sameForge(a, b string) bool {
	prog, sub, _ := strings.Cut(a, " ")
	switch sub {
	case "auth", "config", "version", "alias", "extension", "completion", "help":
		return false
	}
	return (prog == "gh" || prog == "glab") && strings.HasPrefix(b, prog+" ")
}

// verbOf is what a command does below its family: "checks" of "gh pr checks 7", "update" of
// "git submodule update", "" where the family says all.
func verbOf(argv []string) string {
	argv = shell.Unwrap(argv)
	said, at := shell.Words(argv), 1
	switch family := shell.Family(argv); {
	case nested[family], onForge(family):
	case strings.Contains(family, " "), shell.Probes[family], shell.Quiet[family]:
		return ""
	default:
		at = 0
	}
	if len(said) <= at || !verb.MatchString(said[at]) {
		return ""
	}
	return said[at]
}

func onForge(family string) bool {
	return strings.HasPrefix(family, "gh ") || strings.HasPrefix(family, "glab ")
}

// nested are the families with verbs of their own.
var nested = map[string]bool{"git submodule": true, "git stash": true, "git remote": true, "git worktree": true, "git bisect": true, "docker compose": true, "nix profile": true, "nix flake": true}

var verb = lazyregexp.New(`^[a-z]+(?:-[a-z]+)*$`)

// installs names the manager whose dependencies a family brings in.
func installs(fam string) string {
	prog, sub, _ := strings.Cut(fam, " ")
	switch sub {
	case "get", "mod", "list", "install", "i", "ci", "add", "update", "sync", "lock":
		switch prog {
		case "go", "npm", "pnpm", "yarn", "bun", "uv", "poetry", "pip", "pip3", "cargo", "bundle", "composer", "brew":
			return strings.TrimSuffix(prog, "3")
		}
	}
	return ""
}

// wider says that a check on the new targets covers the old ones. A filter by
// name stands in front of the targets, see shell.Targets.
func wider(now, before []string) bool {
	isFilter := func(t string) bool { return strings.HasPrefix(t, shell.FilterMark) }
	if len(now) > 0 && isFilter(now[0]) && !slices.ContainsFunc(before, func(t string) bool { // runners choose by a part of the name
		return isFilter(t) && strings.Contains(t, strings.Trim(strings.TrimPrefix(now[0], shell.FilterMark), `^$"'`))
	}) {
		return false
	}
	now, before = slices.DeleteFunc(slices.Clone(now), isFilter), slices.DeleteFunc(slices.Clone(before), isFilter)
	if len(now) == 0 {
		return true
	}
	if len(before) == 0 {
		return false
	}
	for _, t := range before {
		if !slices.ContainsFunc(now, func(n string) bool {
			n = strings.TrimSuffix(n, "...")
			return n == t || n == "./" || n == "." || strings.HasPrefix(t, strings.TrimSuffix(n, "/")+"/") || strings.HasPrefix(t, n+"::")
		}) {
			return false
		}
	}
	return true
}

// filesGiven are the files that the commands of a call were given, or run from.
func filesGiven(e *timeline.Event) []string {
	var out []string
	for _, cmd := range e.ToolCall.Commands {
		for _, word := range cmd.Argv {
			if path.Ext(word) == "" || len(out) == maxGiven {
				continue
			}
			if p := e.Paths.Rel(word, e.FolderOf(cmd.Dir)); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// maxGiven bounds how many files of a call are kept.
const maxGiven = 8
