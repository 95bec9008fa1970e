// Package repository follows what the session did in git: branch, commits,
// pushes, merges that wait for their end, and the steps that a commit puts
// aside.
package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
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
	levelAt    int    // event of one that says there are none, 0 for none
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

// Commit is one the session made.
type Commit struct {
	id      string
	subject string
	unseen  bool // the source keeps no results
	byUser  bool // the person made it
	bySelf  bool // the tool made it, as it does with all that it changes
	seq     int
	src     distiller.Source
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
		g.keep(e, m[2], m[3])
	}
	for _, m := range pushedTo.FindAllStringSubmatch(text, 2) {
		g.Pushed, g.pushed, g.Source = e.Calls, e.Seq, e.Source
		if n := len(g.Commits); n > 0 && g.Commits[n-1].id == unknownID { // git had printed nothing of it
			g.Commits[n-1].id, g.head = m[1], m[1]
		}
		g.keep(e, m[1], "pushed to "+m[2])
	}
}

// subjectOf finds the message of a git commit: after -m, or the first line of
// the here document that stands for it.
var subjectOf = lazyregexp.New(`(?:-[a-z]*m|--message)[ =]?\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]+)|"((?:[^"\\\n]|\\.)+)|'([^'\n]+))`)

// unseen is a commit whose result the source does not keep: it is known by its
// message, without an id.
func (g *Git) unseen(e *timeline.Event) {
	for _, at := range commitCall.FindAllStringIndex(e.ToolCall.Info.Command, maxUnseen) {
		m := subjectOf.FindStringSubmatch(e.ToolCall.Info.Command[at[0]:])
		if m == nil {
			continue
		}
		subject := prose.Clip(prose.OneLine(m[1]+m[2]+m[3]), 100)
		// The same message again: the attempt before did not come to a commit.
		g.Commits = slices.DeleteFunc(g.Commits, func(c Commit) bool { return c.id == "" && c.subject == subject })
		g.Commits, g.head = bounded.Limit(append(g.Commits, Commit{subject: subject, unseen: true, seq: e.Seq, src: e.Source}), maxCommits), unknownID
	}
	if slices.ContainsFunc(e.ToolCall.Commands, func(c shell.Command) bool { return shell.Family(c.Argv) == "git push" }) {
		g.levelAt = e.Seq // as far as anybody knows
	}
}

// named takes the id of an unseen commit from the reply that follows it.
func (g *Git) named(e *timeline.Event) {
	n := len(g.Commits)
	if n == 0 || g.Commits[n-1].id != "" || e.Subagent {
		return
	}
	if ids := quotedID.FindAllStringSubmatch(e.Text, 2); len(ids) == 1 {
		g.Commits[n-1].id, g.head = ids[0][1], ids[0][1]
	}
}

var quotedID = lazyregexp.New("`([0-9a-f]{7,40})`")

// commitCall is where a command commits; maxUnseen bounds how often it does.
var commitCall = lazyregexp.New(`\bgit (?:-C \S+ )?commit\b`)

const maxUnseen = 4

func (g *Git) keep(e *timeline.Event, id, subject string) {
	if slices.ContainsFunc(g.Commits, func(c Commit) bool { return output.SameCommit(c.id, id) }) {
		return
	}
	g.Commits = bounded.Limit(append(g.Commits, Commit{id: id, subject: prose.Clip(prose.OneLine(subject), 100), byUser: e.ToolCall.ByUser, bySelf: e.ToolCall.Info.Command == bareCommit, seq: e.Seq, src: e.Source}), maxCommits)
	g.head, g.stat, g.statAt = id, "", 0
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
			g.asked(e, c, text)
		}
	}
}

// asked reads what the forge was asked or told.
func (g *Git) asked(e *timeline.Event, c shell.Command, text string) {
	if slices.Contains(c.Argv, "create") && timeline.Passed(e) {
		g.levelAt = e.Seq // it pushes, too
	}
	if slices.Contains(c.Argv, "checks") || shell.Family(c.Argv) == "gh run" {
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

// silent is a commit made with git commit -q, or by a hook that hid what git
// printed: it has no id until somebody looks.
func (g *Git) silent(e *timeline.Event, argv []string) {
	if strings.Contains(e.Result.Text, "nothing to commit") || slices.Contains(argv, "--dry-run") {
		return
	}
	g.quiet, g.head = e.Calls, unknownID
	g.Commits = bounded.Limit(append(g.Commits, Commit{id: unknownID, subject: prose.Clip(prose.OneLine(message(argv)), 100), seq: e.Seq, src: e.Source}), maxCommits)
}

// isQuiet says that git was asked to print nothing.
func isQuiet(argv []string) bool {
	return slices.ContainsFunc(argv, func(w string) bool {
		return w == "-q" || w == "--quiet" || len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "q")
	})
}

// Done is a commit as a step.
func (c Commit) Done() distiller.Progress {
	text := "commit "
	if c.byUser {
		text = "the user's commit "
	}
	if c.id != unknownID {
		text += c.id + " "
	}
	if c.subject != "" {
		text += "`" + strings.ReplaceAll(c.subject, "`", "'") + "`"
	}
	if c.unseen {
		return distiller.Progress{Text: text + " (result not seen)", State: "done", Evidence: distiller.Said, Source: c.src}
	}
	return distiller.Progress{Text: strings.TrimSpace(text), State: "done", Evidence: distiller.Proved, Source: c.src}
}

// unknownID stands for the id of a commit that nobody printed.
const unknownID = ""

// message is the subject that a git commit was given.
func message(argv []string) string {
	for i, w := range argv {
		switch {
		case (w == "-m" || w == "--message" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "m")) && i+1 < len(argv):
			subject, _, _ := strings.Cut(argv[i+1], "\n")
			if strings.HasPrefix(subject, "$(") {
				return "" // what another program prints
			}
			return subject
		case strings.HasPrefix(w, "--message="):
			return strings.TrimPrefix(w, "--message=")
		}
	}
	return ""
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

// Kept counts the commits that the agent made where no push was seen at all.
func (g *Git) Kept() int {
	n := 0
	for _, c := range g.Commits {
		if g.pushed == 0 && c.seq > g.levelAt && !c.byUser && !c.bySelf {
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

// Fact is the state of the repository after so many requests, nil when nothing
// is known of it.
func (g *Git) Fact(turn int) *distiller.Git {
	if g.Branch == "" && g.head == "" && len(g.Commits) == 0 {
		return nil
	}
	out := &distiller.Git{Branch: g.Branch, Head: g.head, Halted: g.Halt(turn)}
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
