package repository

import (
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// nowAt is git's report of where a reset has led.
var nowAt = lazyregexp.New(`(?m)^HEAD is now at ([0-9a-f]{7,40})`)

// back is a revision so many commits before HEAD.
var back = lazyregexp.New(`^HEAD(?:~(\d*)|(\^+))$`)

// reset forgets the commits of this session that a reset has taken back: those behind the
// one it led to, else as many as it was told.
func (g *Git) reset(e *timeline.Event, argv []string, text string) {
	if !timeline.Passed(e) {
		return
	}
	if m := nowAt.FindStringSubmatch(text); m != nil {
		g.head = m[1]
		same := func(c Commit) bool {
			return c.id != unknownID && (strings.HasPrefix(c.id, m[1]) || strings.HasPrefix(m[1], c.id))
		}
		if at := slices.IndexFunc(g.Commits, same); at >= 0 {
			g.Commits = slices.Clone(g.Commits[:at+1])
			return
		}
	}
	for _, w := range argv {
		m := back.FindStringSubmatch(w)
		if m == nil {
			continue
		}
		n := max(1, len(m[2]))
		if m[1] != "" {
			n, _ = strconv.Atoi(m[1])
		}
		g.Commits = slices.Clone(g.Commits[:max(0, len(g.Commits)-n)])
		if !strings.Contains(text, "HEAD is now at") {
			g.head = "" // git says nothing of where it is
		}
	}
}
