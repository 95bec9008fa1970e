// Package repository follows what the session did in git: branch, commits,
// pushes, merges that wait for their end, and the steps that a commit puts
// aside.
package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/modules/distiller/shell"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Git is what was recorded about the repository: the branch the tool wrote
// beside its records or the daemon read, and the commits this session made, as
// git itself printed them ("[branch abc1234] subject").
type Git struct {
	Branch     string
	First      string // branch of the first record
	head       string
	Commits    []Commit
	Made       []distiller.Progress // branches it created
	read       []string             // commits as the daemon read them
	Pushed     int                  // calls when something was last pushed; 0 never
	pushed     int                  // event of that push, 0 for none
	Checked    int                  // calls when CI was last looked at, and had ended
	Running    int                  // calls when it was looked at, and had not
	RunSource  distiller.Source     // where that was
	pending    []string             // the checks of it that had not, as far as they were named
	ahead      int                  // commits that git says are not in upstream
	upstream   string
	aheadAt    int    // event of that status
	levelAt    int    // event with which nothing was left to push, as far as is known: such a status, a push that was not seen, a pull request; 0 for none
	committer  string // who commits, where git made it up
	HasCI      bool   // something in the session says that the project has one
	quiet      int    // calls when a commit was made of which git printed nothing
	stat       string // what git diff --stat said last of the work not committed
	statAt     int    // calls when it said so
	halted     string // merge, rebase, cherry-pick or revert that waits for an end
	HaltSource distiller.Source
	HaltSeq    int      // event in which it was heard of
	haltTurn   int      // requests when it was heard of
	conflicts  []string // files that git named then as in conflict
	Source     distiller.Source
	nameless   bool // its tool writes down the branch, and there was none
	known      bool // something in the session says that there is a repository
	added      Added
	swept      bool // all that was there is staged, whatever it is
	resumed    bool // the session goes on from a summary: what was done before it is not known
}

// pushedTo is git push's report of a branch that moved, by force or not.
var pushedTo = lazyregexp.New(`(?m)^ +(?:\+ )?[0-9a-f]{7,}\.\.\.?([0-9a-f]{7,})\s+\S+ -> (\S+)`)

// maxCommits is how many commits of a session are kept.
const maxCommits = 12

// Add takes one more event.
func (g *Git) Add(e *timeline.Event) {
	if e.WorkDir != nil && !e.Subagent {
		g.see(e.WorkDir.Branch)
		if e.WorkDir.Head != "" {
			g.head = e.WorkDir.Head
		}
	}
	g.HasCI = g.HasCI || saysCI(e)
	switch e.Kind {
	case transcript.Reply:
		g.named(e)
	case transcript.Compacted:
		g.resumed = g.resumed || e.Calls == 0
	case transcript.Git:
		if e.Git != nil {
			g.see(e.Git.Branch)
			g.head = e.Git.Head
			g.read = e.Git.Commits
		}
	case transcript.Result:
		if e.ToolCall == nil {
			return
		}
		switch e.ToolCall.Info.Meaning {
		case transcript.Shell:
			g.result(e)
			if e.ToolCall.Info.Command == "" { // polled output of an earlier command
				g.printed(e)
			}
		case transcript.Other:
			g.printed(e)
		}
	}
}

// printed reads what git says about commits and pushes.
func (g *Git) printed(e *timeline.Event) {
	text := prose.Excerpt(e.Result.Text)
	for _, m := range output.Committed.FindAllStringSubmatch(text, 4) {
		g.keep(e, Commit{id: m[2], subject: m[3], branch: m[1]})
	}
	for _, m := range pushedTo.FindAllStringSubmatch(text, 2) {
		g.Pushed, g.pushed, g.Source = e.Calls, e.Seq, e.Source
		if n := len(g.Commits); n > 0 && g.Commits[n-1].id == unknownID { // git had printed nothing of it
			g.Commits[n-1].id, g.head = m[1], m[1]
		}
		g.keep(e, Commit{id: m[1], subject: "pushed to " + m[2]})
	}
}

// LastCommit is the event that made the newest commit, 0 for none.
func (g *Git) LastCommit() int {
	if n := len(g.Commits); n > 0 {
		return g.Commits[n-1].seq
	}
	return 0
}

func (g *Git) result(e *timeline.Event) {
	if e.Result.Unseen {
		g.unseen(e)
		return
	}
	text := prose.Excerpt(e.Result.Text)
	for _, c := range e.ToolCall.Commands {
		fam := shell.Family(c.Argv)
		if timeline.InScratch(e, c) {
			continue
		}
		if strings.HasPrefix(fam, "git ") && !timeline.Elsewhere(e, c) {
			g.known = g.known || timeline.Passed(e)
			g.state(e, text)
			g.standing(text, e.Seq)
		}
		switch fam {
		case "git add":
			g.swept = g.swept || slices.ContainsFunc(c.Argv, func(w string) bool { return w == "-A" || w == "--all" || w == "." })
		case "git commit":
			g.committed(e, c, text)
		case "git cherry-pick", "git merge", "git revert", "git rebase", "git am":
			g.printed(e)
		case "git reset":
			g.reset(e, c.Argv, text)
		case "git log", "git rev-parse", "git show", "git reflog":
			g.looked(e, c, text)
		case "git diff":
			if m := statLine.FindString(text); m != "" && !slices.ContainsFunc(shell.Words(c.Argv)[1:], isRevision) {
				g.stat, g.statAt = strings.TrimSpace(m), e.Calls
			}
		case "git push":
			if timeline.Passed(e) && timeline.PushesWork(e, c) {
				g.Pushed, g.pushed, g.Source, g.ahead = e.Calls, e.Seq, e.Source, 0
				g.printed(e)
			}
		case "git checkout", "git switch":
			if timeline.Passed(e) {
				g.switchedTo(e, text)
			}
		case "gh pr", "gh run":
			g.forge(e, c, fam, text)
		}
	}
}

// forge reads a call to the client of the forge.
func (g *Git) forge(e *timeline.Event, c shell.Command, family, text string) {
	if slices.Contains(c.Argv, "create") && timeline.Passed(e) {
		g.levelAt = e.Seq // it pushes, too
	}
	if slices.Contains(c.Argv, "checks") || family == "gh run" {
		g.lookedAtCI(e, text)
	}
}

// statLine closes git diff --stat.
var statLine = lazyregexp.New(`(?m)^ ?\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?$`)

// changedCount is git's count of what a commit changed, also where a program that
// shortens output puts words of its own around it.
var changedCount = lazyregexp.New(`\b\d+ files? changed\b`)

// isRevision says that a word of git diff names a commit or a range.
func isRevision(w string) bool {
	return !strings.HasPrefix(w, "-") && (strings.Contains(w, "..") || strings.HasPrefix(w, "HEAD") || hexID.MatchString(w) || strings.HasPrefix(w, "origin/")) || w == "main" || w == "master"
}

var (
	hexID   = lazyregexp.New(`^[0-9a-f]{7,40}$`)
	headLog = lazyregexp.New(`(?m)^(?:commit )?([0-9a-f]{7,40})(?: \(HEAD[^)]*\))?(?: (\S.*))?$`)
)

// committed takes a commit that git printed, in place of the one that it amends, or
// one of which it printed nothing.
func (g *Git) committed(e *timeline.Event, c shell.Command, text string) {
	printed := output.Committed.MatchString(text)
	if n := len(g.Commits); n > 0 && printed && shell.Amends(c.Argv) {
		g.Commits = slices.Clone(g.Commits[:n-1])
	}
	g.printed(e)
	g.adds(e, text)
	if timeline.Passed(e) && !printed && (!c.Hidden || isQuiet(c.Argv) || changedCount.MatchString(text)) {
		g.silent(e, c.Argv)
	}
}

// looked takes HEAD from where git printed it, and the id of a silent commit.
func (g *Git) looked(e *timeline.Event, c shell.Command, text string) {
	words := shell.Words(c.Argv)
	if !timeline.Passed(e) || len(words) == 0 || timeline.Elsewhere(e, c) || slices.ContainsFunc(e.ToolCall.Commands, looksElsewhere) ||
		slices.ContainsFunc(words, func(w string) bool {
			return prose.HasPrefixAny(w, "--all", "--reverse", "--author", "--grep", "-S", "-G", "--abbrev-ref", "--show-toplevel", "--since", "--skip")
		}) {
		return
	}
	m := headLog.FindStringSubmatch(text)
	if m == nil || words[0] == "reflog" && !strings.HasPrefix(m[2], "HEAD@{0}") {
		return
	}
	g.head = m[1]
	for i := range g.Commits {
		if k := &g.Commits[i]; k.id == unknownID && (k.subject == "" || m[2] == k.subject || words[0] == "rev-parse") {
			k.id = m[1][:min(len(m[1]), 9)]
			k.subject = prose.Fallback(k.subject, prose.Clip(m[2], 100))
		}
	}
}

// Unpushed counts the commits that were made since the newest push, 0 where none was seen: some
// projects have nowhere to push to.
func (g *Git) Unpushed() int {
	n := 0
	for _, c := range slices.Backward(g.Commits) {
		if g.pushed == 0 || c.seq <= g.pushed {
			break
		}
		n++
	}
	return n
}

// bareCommit is how a commit is written down that a tool makes: an agent has to give it a message.
const bareCommit = "git commit"

// Kept counts the commits that the agent made where no push was seen at all; 0 where the tool commits by
// itself, and leaves pushing to the person.
func (g *Git) Kept() int {
	n := 0
	for _, c := range g.Commits {
		if g.pushed > 0 || c.bySelf {
			return 0
		}
		if c.seq > g.levelAt && !c.byUser {
			n++
		}
	}
	return n
}

// looksElsewhere says that a command shows a commit other than HEAD: what the call prints may
// be of that one.
func looksElsewhere(c shell.Command) bool {
	switch shell.Family(c.Argv) {
	case "git log", "git rev-parse", "git show", "git reflog":
		return slices.ContainsFunc(shell.Words(c.Argv)[1:], func(w string) bool { return !strings.HasPrefix(w, "-") && w != "HEAD" })
	}
	return false
}

// onAnother says that HEAD is known by a commit alone that was made on another branch.
func onAnother(g *Git, c Commit) bool {
	return c.id == g.head && c.branch != "" && c.branch != "HEAD" && g.Branch != "" && c.branch != g.Branch
}

// Fact is the state of the repository after so many requests, nil when nothing
// is known of it.
func (g *Git) Fact(turn int) *distiller.Git {
	if g.Branch == "" && g.head == "" && len(g.Commits) == 0 {
		return nil
	}
	out := &distiller.Git{Branch: g.Branch, Head: g.head, Halted: g.Halt(turn)}
	if n := len(g.Commits); n > 0 && onAnother(g, g.Commits[n-1]) {
		out.Head = "" // of the branch that it is on now nobody has said where it stands
	}
	if g.statAt > 0 && g.statAt >= g.quiet {
		out.Stat = g.stat
	}
	for _, c := range g.Commits {
		out.Commits = append(out.Commits, strings.TrimSpace(c.id+" "+c.subject))
	}
	if len(out.Commits) == 0 {
		out.Commits = append(out.Commits, g.read...)
	}
	return out
}
