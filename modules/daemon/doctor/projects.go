package doctor

import (
	"context"
	"os"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
)

// projectChecks look at the folders of the known projects: whether git tracks what is
// ours there, and whether a file hides the pointer from an agent.
func projectChecks(ctx context.Context, p checkContext, store interface {
	Projects(ctx context.Context) ([]ledger.Project, error)
},
) (checks []Check) {
	projects, err := store.Projects(ctx)
	if err != nil {
		return []Check{{"projects", Error, err.Error(), "run `carryover daemon restart`"}}
	}
	for _, project := range projects {
		for _, worktree := range publish.Worktrees(project) {
			if _, err := os.Stat(worktree); err == nil {
				checks = append(checks, worktreeChecks(p, worktree)...)
			}
		}
	}
	return checks
}

func worktreeChecks(p checkContext, worktree string) (checks []Check) {
	if found, ok := gitrepo.Find(worktree); ok && found.Tracks(publish.Dir) {
		checks = append(checks, Check{
			"tracked", Warning, publish.Dir + " is tracked by git in " + worktree + "; nothing is written there",
			"run `git -C " + worktree + " rm -r -q --cached " + publish.Dir + "`, and commit that",
		})
	}
	for _, file := range publish.Shadowing(worktree, p.home, p.table) {
		checks = append(checks, Check{
			"shadowed", Warning, file + " hides the pointer in AGENTS.md of " + worktree + " from an agent that reads it instead",
			"add the line @AGENTS.md to " + worktree + "/" + file,
		})
	}
	return checks
}
