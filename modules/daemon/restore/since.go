package restore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/redact"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// recentWork is the age below which nothing is said of it: the work has hardly
// ended.
const recentWork = time.Hour

// timeToLook bounds what is looked at when a handoff is delivered. A disk that
// answers later is not waited for.
const timeToLook = 50 * time.Millisecond

// Delivery is a handoff that is about to be delivered. What it says is held
// against the disk as it is now.
type Delivery struct {
	From     ledger.Session
	Facts    distiller.Facts
	Jobs     []distiller.Job  // that the session left running
	Age      time.Duration    // of the last event
	Worktree string           // of the session that starts
	Checkout gitrepo.Checkout // of that worktree
	Others   []ledger.SessionKey
	Disk     Disk
}

// Since says, one line each and the most important first, what is under way in
// the worktree, who else is at work there, which of the listed files changed or
// are gone, how HEAD moved, where the work was done and what was left running.
// These lines depend on the moment, so they stand in no file.
func Since(ctx context.Context, d Delivery) []string {
	ctx, cancel := context.WithTimeout(ctx, timeToLook)
	defer cancel()
	looks := []func() string{
		d.underWay,
		func() string { return AtWork(d.Others) },
		func() string { return d.files(ctx) },
		d.moved,
		d.elsewhere,
		d.jobs,
	}
	lines := make([]string, len(looks))
	type seen struct {
		at   int
		line string
	}
	all := make(chan seen, len(looks)) // one that is late finds room and ends
	for at, look := range looks {
		go func() { all <- seen{at, look()} }()
	}
	for range looks {
		select {
		case one := <-all:
			lines[one.at] = one.line
		case <-ctx.Done():
			return withoutEmpty(lines)
		}
	}
	return withoutEmpty(lines)
}

// withoutEmpty are the lines that say something.
func withoutEmpty(lines []string) []string {
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// underWay says what was begun in the worktree and is not finished.
func (d Delivery) underWay() string {
	if !d.Checkout.Found {
		return ""
	}
	name, branch := d.Checkout.UnderWay()
	if name == "" {
		return ""
	}
	if branch != "" {
		name += " of " + branch
	}
	return "Not finished in this worktree: a " + name + ". Finish or abort it before other changes, or ask."
}

// moved tells the age of the work, and compares branch and commit with those
// the session left.
func (d Delivery) moved() string {
	var parts []string
	if d.Age > recentWork {
		parts = append(parts, "Last activity: "+Age(d.Age)+" ago.")
	}
	if !isElsewhere(d.From, d.Worktree) {
		parts = append(parts, d.head())
	}
	return strings.Join(withoutEmpty(parts), " ")
}

// shownCommits is how many commits since then are named; all are counted.
const shownCommits = 3

func (d Delivery) head() string {
	if !d.Checkout.Found {
		return ""
	}
	branch, head := d.Checkout.Branch, d.Checkout.Commit
	git := d.Facts.Git
	then := d.From.Branch
	if git != nil && git.Branch != "" {
		then = git.Branch
	}
	switch {
	case branch != "" && then != "" && branch != then:
		return fmt.Sprintf("The branch is %s now; the work below was done on %s.", branch, then)
	case git == nil || git.Head == "" || head == "" || strings.HasPrefix(head, git.Head):
		return ""
	}
	line := fmt.Sprintf("HEAD moved since, from %.9s to %.9s", git.Head, head)
	since := d.Checkout.Since(git.Head)
	if since.Other != "" {
		line += " (" + since.Other + ")"
	}
	if n := len(since.Commits); n > 0 {
		line += fmt.Sprintf(": %s: %s", count(n, "commit"), redact.Text(strings.Join(since.Commits[:min(n, shownCommits)], "; ")))
	}
	return line + "."
}

// count is a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// elsewhere names the worktree in which the work was done, when it is another.
func (d Delivery) elsewhere() string {
	if !isElsewhere(d.From, d.Worktree) {
		return ""
	}
	return "The work below was done in another worktree of this project: " + d.From.Worktree
}

// isElsewhere says whether a session worked in another worktree than one of its
// project. The same folder reached in another way, one that holds it and one that was
// moved are no other.
func isElsewhere(from ledger.Session, worktree string) bool {
	if from.Worktree == "" || from.Worktree == worktree {
		return false
	}
	was, err := os.Stat(from.Worktree)
	if err != nil { // moved, unless it was a linked worktree
		main := slices.Contains(from.Project.Paths, filepath.Join(from.Worktree, ".git"))
		linked := slices.ContainsFunc(from.Project.Paths, func(path string) bool { return filepath.Base(path) == ".git" })
		return linked && !main
	}
	if rel, err := filepath.Rel(from.Worktree, worktree); err == nil && filepath.IsLocal(rel) && !isRepository(worktree) {
		return false
	}
	now, err := os.Stat(worktree)
	return err != nil || !os.SameFile(was, now)
}

func isRepository(worktree string) bool {
	_, err := os.Lstat(filepath.Join(worktree, ".git"))
	return err == nil
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
