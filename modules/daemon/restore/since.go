package restore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/repo"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// settled is the age below which nothing is said of it: the work has hardly
// ended.
const settled = time.Hour

// Since says in at most four lines what changed after the handed-over session:
// its age, and the branch then and now. These lines depend on the moment, so
// they stand in no file.
func Since(ctx context.Context, from ledger.Session, git *distiller.Git, age time.Duration, worktree string) []string {
	var lines []string
	if age > settled {
		lines = append(lines, "Since then: "+Age(age)+" have passed.")
	}
	if w, ok := repo.Find(worktree); ok {
		lines = append(lines, moved(ctx, w, from, git)...)
	}
	if from.Worktree != "" && from.Worktree != worktree {
		lines = append(lines, "The work below was done in another worktree of this project: "+from.Worktree)
	}
	return lines
}

// moved compares branch and commit with those the session left.
func moved(ctx context.Context, w repo.Worktree, from ledger.Session, git *distiller.Git) []string {
	branch, head := w.Head()
	then := from.Branch
	if git != nil && git.Branch != "" {
		then = git.Branch
	}
	switch {
	case branch != "" && then != "" && branch != then:
		return []string{fmt.Sprintf("Since then: the branch is %s now; the work below was done on %s.", branch, then)}
	case git == nil || git.Head == "" || head == "" || head == git.Head:
		return nil
	}
	line := fmt.Sprintf("Since then: HEAD moved from %.9s to %.9s", git.Head, head)
	if count, ok := w.CommitsSince(ctx, git.Head, head); ok && count > 0 {
		line += fmt.Sprintf(", %d new commits", count)
	}
	return []string{line + "."}
}

// shownID is how much of a session's id names it to a model.
const shownID = 12

// shownOthers is how many sessions at work are named; the rest is counted.
const shownOthers = 3

// AtWork names the other sessions of the worktree that have not ended, in one
// line; "" when there is none.
func AtWork(others []ledger.SessionKey) string {
	if len(others) == 0 {
		return ""
	}
	names := make([]string, 0, shownOthers)
	for _, key := range others[:min(len(others), shownOthers)] {
		names = append(names, key.Tool+" "+key.ID[:min(len(key.ID), shownID)])
	}
	if more := len(others) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "Another session of this worktree may still be at work: " + strings.Join(names, ", ") + ". Look before you change the same files."
}

// OnOtherBranch says whether the session worked on another branch than the one
// that is checked out in the worktree now.
func OnOtherBranch(from ledger.Session, worktree string) bool {
	w, ok := repo.Find(worktree)
	if !ok || from.Branch == "" {
		return false
	}
	branch, _ := w.Head()
	return branch != "" && branch != from.Branch
}

// StalePointer is all that is said of a handoff that is older than the limit.
func StalePointer(facts distiller.Facts, age time.Duration) string {
	return fmt.Sprintf("%s The last captured session in this project (%s) is %s old and was not loaded. If it matters: .carryover/handoff.md\n",
		transcript.Sentinel, facts.Tool, Age(age))
}

// Age is a duration in words, in its largest unit.
func Age(age time.Duration) string {
	switch days := int(age.Hours() / 24); {
	case days >= 2:
		return fmt.Sprintf("%d days", days)
	case age >= 2*time.Hour:
		return fmt.Sprintf("%d hours", int(age.Hours()))
	default:
		return fmt.Sprintf("%d minutes", int(age.Minutes()))
	}
}
