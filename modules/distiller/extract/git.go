package extract

import (
	"regexp"
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
	read    []string // commits as the daemon read them
	pushed  int      // calls when something was last pushed; 0 never
	checked int      // calls when CI was last looked at
	src     distiller.Source
}

// commit is one the session made.
type commit struct {
	id      string
	subject string
	seq     int
	calls   int
	src     distiller.Source
}

var committed = regexp.MustCompile(`(?m)^\[([^\]\s]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$`)

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
	case transcript.Git:
		if e.Git != nil {
			g.see(e.Git.Branch)
			g.head = e.Git.Head
			g.read = e.Git.Commits
		}
	case transcript.Result:
		if e.call != nil && e.call.info.Meaning == transcript.Shell {
			g.result(e)
		}
	}
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
	for _, c := range e.call.cmds {
		switch fam := family(c.argv); fam {
		case "git commit", "git cherry-pick", "git merge", "git revert":
			for _, m := range committed.FindAllStringSubmatch(excerpt(e.Result.Text), 4) {
				g.commits = limit(append(g.commits, commit{id: m[2], subject: clip(oneLine(m[3]), 100), seq: e.seq, calls: e.calls, src: e.src}), maxCommits)
				g.head = m[2]
			}
		case "git push":
			if passed(e) {
				g.pushed, g.src = e.calls, e.src
			}
		case "git checkout", "git switch":
			if passed(e) {
				g.checkout(c.argv)
			}
		case "gh pr", "gh run":
			if rest := strings.Join(c.argv, " "); strings.Contains(rest, "checks") || strings.HasPrefix(fam, "gh run") {
				g.checked = e.calls
			}
		}
	}
}

// checkout follows a switch of branch that the tool has not recorded yet.
func (g *gitRules) checkout(argv []string) {
	args := unwrap(argv)[2:]
	for i, a := range args {
		if (a == "-b" || a == "-c" || a == "-B" || a == "-C") && i+1 < len(args) {
			g.see(args[i+1])
			return
		}
	}
	if len(args) == 1 && !strings.HasPrefix(args[0], "-") && !strings.Contains(args[0], ".") {
		g.see(args[0])
	}
}

func (g *gitRules) fact() *distiller.Git {
	if g.branch == "" && g.head == "" && len(g.commits) == 0 {
		return nil
	}
	out := &distiller.Git{Branch: g.branch, Head: g.head}
	for _, c := range g.commits {
		out.Commits = append(out.Commits, c.id+" "+c.subject)
	}
	if len(out.Commits) == 0 {
		out.Commits = append(out.Commits, g.read...)
	}
	return out
}
