package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// haltEnded are git's words for its end, or for a state without one.
var haltEnded = lazyregexp.New(`(?m)^Successfully rebased|^On branch \S+\n(?:Your branch.*\n)?(?:.*\n)?(?:nothing to commit|Changes not staged|Untracked files|Changes to be committed)|^Merge made by|^Already up to date|^Current branch .* is up to date`)

// haltTurns is for how many requests a merge or rebase is listed of which nothing
// was heard.
const haltTurns = 2

// state follows merges and rebases by what git printed last. One that did
// something else since has ended: a push, another branch, a commit on a branch.
func (g *Git) state(e *timeline.Event, text string) {
	if what := output.Halt(text); what != "" {
		if named := output.ConflictsIn(text); len(named) > 0 || g.halted != what {
			g.conflicts = named
		}
		g.halted, g.HaltSource, g.HaltSeq, g.haltTurn = what, e.Source, e.Seq, e.Turn
		return
	}
	if strings.Contains(text, "Successfully rebased") {
		g.rebased()
	}
	ends := slices.ContainsFunc(e.ToolCall.Commands, func(c shell.Command) bool {
		switch shell.Family(c.Argv) {
		case "git commit", "git push", "git checkout", "git switch":
			return !slices.Contains(c.Argv, "--") && !slices.Contains(c.Argv, "--ours") && !slices.Contains(c.Argv, "--theirs")
		}
		return slices.Contains(c.Argv, "--abort") || slices.Contains(c.Argv, "--quit") || slices.Contains(c.Argv, "--continue")
	})
	if g.halted != "" && (haltEnded.MatchString(text) || ends && timeline.Passed(e)) {
		g.halted = ""
	}
}

// Halt is the merge or rebase that waits for its end, as far as it is known
// after so many requests.
func (g *Git) Halt(turn int) string {
	if turn-g.haltTurn > haltTurns {
		return ""
	}
	return g.halted
}

// Conflicts are the files that git named as in conflict when it was last heard of what waits.
func (g *Git) Conflicts() []string { return g.conflicts }
