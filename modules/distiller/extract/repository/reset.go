package repository

import (
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/shell"
)

// reset forgets the commits of this session that a reset has taken back: those behind the
// one it led to, else as many as it was told.
func (g *Git) reset(e *timeline.Event, argv []string, text string) {
	if !timeline.Passed(e) {
		return
	}
	if m := output.HeadNowAt.FindStringSubmatch(text); m != nil {
		g.head = m[1]
		if at := slices.IndexFunc(g.Commits, func(c Commit) bool { return output.SameCommit(c.id, m[1]) }); at >= 0 {
			g.Commits = slices.Clone(g.Commits[:at+1])
			return
		}
	}
	if n := shell.BackBy(argv); n > 0 {
		g.Commits = slices.Clone(g.Commits[:max(0, len(g.Commits)-n)])
		if !strings.Contains(text, "HEAD is now at") {
			g.head = "" // git says nothing of where it is
		}
	}
}

// rebased forgets the ids of the commits that a rebase has rewritten: those that were not
// pushed.
func (g *Git) rebased() {
	g.head = ""
	for i, c := range g.Commits {
		if c.seq > g.pushed {
			g.Commits[i].id = unknownID
		}
	}
}
