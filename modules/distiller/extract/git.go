package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Git is what was recorded about the repository: the branch the tool wrote
// beside its records or the daemon read, and the commits this session made, as
// git itself printed them ("[branch abc1234] subject").
type gitRules struct {
	branch  string
	first   string // branch of the first record
	head    string
	commits []commit
	made    []distiller.Progress // branches it created
	read    []string             // commits as the daemon read them
	pushed  int                  // calls when something was last pushed; 0 never
	checked int                  // calls when CI was last looked at
	src     distiller.Source
}

// what tells of a commit.
func (c commit) what() string {
	subject := " `" + strings.ReplaceAll(c.subject, "`", "'") + "`"
	if c.id == "" {
		return "commit" + subject + " (result not seen)"
	}
	return "commit " + c.id + subject
}

// commit is one the session made.
type commit struct {
	id      string
	subject string
	seq     int
	src     distiller.Source
}

var committed = regexp.MustCompile(`(?m)^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$`)

// switched is git's report of another branch: the tool may record it late.
var switched = regexp.MustCompile(`Switched to (?:a new )?branch '([^']+)'`)

// pushedTo is git push's report of a branch that moved.
var pushedTo = regexp.MustCompile(`(?m)^ +[0-9a-f]{7,}\.\.([0-9a-f]{7,})\s+\S+ -> (\S+)`)

// maxCommits is how many commits of a session are kept.
const maxCommits = 12

func (g *gitRules) add(e *event) {
	if e.Place != nil && !e.Subagent {
		g.see(e.Place.Branch)
		if e.Place.Head != "" {
			g.head = e.Place.Head
		}
	}
	switch e.Kind {
	case transcript.Reply:
		g.named(e)
	case transcript.Git:
		if e.Git != nil {
			g.see(e.Git.Branch)
			g.head = e.Git.Head
			g.read = e.Git.Commits
		}
	case transcript.Result:
		if e.call == nil {
			return
		}
		switch e.call.info.Meaning {
		case transcript.Shell:
			g.result(e)
			if e.call.info.Command == "" { // polled output of an earlier command
				g.printed(e)
			}
		case transcript.Other:
			g.printed(e)
		}
	}
}

// printed reads what git says about commits and pushes.
func (g *gitRules) printed(e *event) {
	text := excerpt(e.Result.Text)
	for _, m := range committed.FindAllStringSubmatch(text, 4) {
		g.keep(e, m[2], m[3])
	}
	for _, m := range pushedTo.FindAllStringSubmatch(text, 2) {
		g.pushed, g.src = e.calls, e.src
		g.keep(e, m[1], "pushed to "+m[2])
	}
}

// subjectOf finds the message of a git commit: after -m, or the first line of
// the here document that stands for it.
var subjectOf = regexp.MustCompile(`(?:-[a-z]*m|--message)[ =]?\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n\s*([^\n]+)|"((?:[^"\\\n]|\\.)+)|'([^'\n]+))`)

// unseen is a commit whose result the source does not keep: it is told by its
// message, without an id.
func (g *gitRules) unseen(e *event) {
	for _, at := range commitCall.FindAllStringIndex(e.call.info.Command, maxUnseen) {
		m := subjectOf.FindStringSubmatch(e.call.info.Command[at[0]:])
		if m == nil {
			continue
		}
		subject := clip(oneLine(m[1]+m[2]+m[3]), 100)
		// The same message again: the attempt before did not come to a commit.
		g.commits = slices.DeleteFunc(g.commits, func(c commit) bool { return c.id == "" && c.subject == subject })
		g.commits = limit(append(g.commits, commit{subject: subject, seq: e.seq, src: e.src}), maxCommits)
	}
}

// named takes the id of an unseen commit from the reply that follows it.
func (g *gitRules) named(e *event) {
	n := len(g.commits)
	if n == 0 || g.commits[n-1].id != "" || e.Subagent {
		return
	}
	if ids := quotedID.FindAllStringSubmatch(e.Text, 2); len(ids) == 1 {
		g.commits[n-1].id, g.head = ids[0][1], ids[0][1]
	}
}

var quotedID = regexp.MustCompile("`([0-9a-f]{7,40})`")

// commitCall is where a command commits; maxUnseen bounds how often it does.
var commitCall = regexp.MustCompile(`\bgit (?:-C \S+ )?commit\b`)

const maxUnseen = 4

func (g *gitRules) keep(e *event, id, subject string) {
	for i := range g.commits {
		if c := g.commits[i]; c.id != "" && strings.HasPrefix(id, c.id) || strings.HasPrefix(c.id, id) {
			return
		}
	}
	g.commits = limit(append(g.commits, commit{id: id, subject: clip(oneLine(subject), 100), seq: e.seq, src: e.src}), maxCommits)
	g.head = id
}

// lastCommit is the event that made the newest commit, 0 for none.
func (g *gitRules) lastCommit() int {
	if n := len(g.commits); n > 0 {
		return g.commits[n-1].seq
	}
	return 0
}

func (g *gitRules) see(branch string) {
	if branch == "" || branch == "HEAD" {
		return
	}
	if g.first == "" {
		g.first = branch
	}
	g.branch = branch
}

func (g *gitRules) result(e *event) {
	if e.Result.Unseen {
		g.unseen(e)
		return
	}
	for _, c := range e.call.cmds {
		switch fam := family(c.Argv); fam {
		case "git commit", "git cherry-pick", "git merge", "git revert":
			g.printed(e)
		case "git push":
			if passed(e) {
				g.pushed, g.src = e.calls, e.src
				g.printed(e)
			}
		case "git checkout", "git switch":
			if passed(e) {
				if m := switched.FindStringSubmatch(excerpt(e.Result.Text)); m != nil {
					g.see(m[1])
					if strings.Contains(m[0], "new branch") {
						g.made = limit(append(g.made, distiller.Progress{Text: "branch `" + m[1] + "` created", State: "done", Source: e.src}), 2)
					}
				}
			}
		case "gh pr", "gh run":
			if rest := strings.Join(c.Argv, " "); strings.Contains(rest, "checks") || strings.HasPrefix(fam, "gh run") {
				g.checked = e.calls
			}
		}
	}
}

func (g *gitRules) fact() *distiller.Git {
	if g.branch == "" && g.head == "" && len(g.commits) == 0 {
		return nil
	}
	out := &distiller.Git{Branch: g.branch, Head: g.head}
	for _, c := range g.commits {
		out.Commits = append(out.Commits, strings.TrimSpace(c.id+" "+c.subject))
	}
	if len(out.Commits) == 0 {
		out.Commits = append(out.Commits, g.read...)
	}
	return out
}
