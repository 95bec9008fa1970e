package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// see takes the branch that a tool wrote down, or git named.
func (g *Git) see(branch string) {
	if branch == "" || branch == "HEAD" {
		g.nameless = g.nameless || branch != ""
		return
	}
	if g.First == "" {
		g.First = branch
	}
	g.Branch, g.known = branch, true
}

// Known says that nothing speaks against a repository: of a tool that writes down the branch, and had
// none, something in the session must show one, a commit or a git command that worked.
func (g *Git) Known() bool { return !g.nameless || g.known || g.head != "" || len(g.Commits) > 0 }

// switched is git's report of another branch: the tool may record it late.
var switched = lazyregexp.New(`Switched to (?:a new )?branch '([^']+)'`)

// switchedTo reads git's report of another branch.
func (g *Git) switchedTo(e *timeline.Event, text string) {
	m := switched.FindStringSubmatch(text)
	if m == nil {
		return
	}
	g.see(m[1])
	if strings.Contains(m[0], "new branch") {
		if n := len(g.Commits); n > 0 { // it begins with that one
			g.Commits = slices.Clone(g.Commits)
			g.Commits[n-1].branch = m[1]
		}
		g.Made = bounded.Limit(append(g.Made, distiller.Progress{Text: "branch `" + m[1] + "` created", State: "done", Evidence: distiller.Proved, Source: e.Source}), 2)
	}
}
