package timeline

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/paths"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// Conflicted says that git stopped for conflicts, as it is meant to, and waits in this work
// tree: its state is listed.
func Conflicted(e *Event) bool {
	text := prose.Excerpt(e.Result.Text)
	return conflicts.MatchString(text) && output.Halt(text) != "" && slices.ContainsFunc(e.ToolCall.Commands, func(c shell.Command) bool {
		return strings.HasPrefix(shell.Family(c.Argv), "git ") && !Elsewhere(e, c)
	})
}

// conflicts are git's words for them.
var conflicts = lazyregexp.New(`(?m)^CONFLICT \(|^Automatic merge failed`)

// Elsewhere says that a git command is about another work tree.
func Elsewhere(e *Event, c shell.Command) bool {
	at := slices.Index(c.Argv, "-C")
	return InScratch(e, c) || at >= 0 && at+1 < len(c.Argv) && !slices.Contains([]string{".", e.Paths.Cwd, e.Paths.Root, e.ToolCall.Info.Cwd}, strings.TrimSuffix(c.Argv[at+1], "/"))
}

// InScratch says that a git command is about a repository outside the project that the same
// text made, to try something in.
func InScratch(e *Event, c shell.Command) bool {
	return c.Dir != "" && !paths.Inside(e.Paths.Rel(c.Dir, e.ToolCall.Info.Cwd)) && slices.ContainsFunc(e.ToolCall.Commands, func(made shell.Command) bool {
		return made.Dir == c.Dir && shell.Family(made.Argv) == "git init"
	})
}

// PushesWork says that a git push brings commits of this project to where others are: it deletes
// nothing, is no rehearsal, and is not of a repository made to try something in.
func PushesWork(e *Event, c shell.Command) bool {
	if Elsewhere(e, c) || paths.Scratch(c.Dir) {
		return false
	}
	said := shell.Words(c.Argv)
	if slices.ContainsFunc(c.Argv, func(w string) bool { return w == "--delete" || w == "-d" || w == "--dry-run" || w == "-n" }) || len(said) > 1 && paths.Scratch(said[1]) {
		return false
	}
	return len(said) < 3 || slices.ContainsFunc(said[2:], func(ref string) bool { return !strings.HasPrefix(ref, ":") })
}
