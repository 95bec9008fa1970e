package repository

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

var (
	// aheadBy is how git status tells of commits that are not in the upstream branch, long and
	// short; with is how it says that there are none.
	aheadBy = lazyregexp.New(`(?m)^Your branch is ahead of '([^']+)' by (\d+) commits?|^## \S+?\.\.\.(\S+) \[ahead (\d+)`)
	with    = lazyregexp.New(`(?m)^Your branch is (?:up to date with|behind)|^## \S+?\.\.\.\S+(?: \[behind \d+\])?$`)

	// madeUp is how git says that nobody told it who commits.
	madeUp = lazyregexp.New(`(?m)^ Committer: (.+)\nYour name and email address were configured automatically`)
)

// standing reads how the branch stands to the one it follows, and who commits.
func (g *Git) standing(text string, seq int) {
	if m := madeUp.FindStringSubmatch(text); m != nil {
		g.committer = prose.Clip(strings.TrimSpace(m[1]), maxCommitter)
	}
	if m := aheadBy.FindStringSubmatch(text); m != nil {
		g.upstream = m[1] + m[3]
		g.aheadAt = seq
		g.ahead, _ = strconv.Atoi(m[2] + m[4])
	} else if with.MatchString(text) {
		g.ahead, g.levelAt = 0, seq
	}
}

// maxCommitter bounds a name with its address, in runes.
const maxCommitter = 80

// Ahead tells of commits that are not in the branch it follows, by the last status, "" for none.
func (g *Git) Ahead() string {
	if g.ahead == 0 {
		return ""
	}
	text := "1 commit is not in " + g.upstream
	if g.ahead > 1 {
		text = fmt.Sprintf("%d commits are not in %s", g.ahead, g.upstream)
	}
	if text += ", by the last git status"; g.LastCommit() > g.aheadAt {
		text += ", and what was committed since"
	}
	return text
}

// Committer is who commits here, where git made it up, "" otherwise.
func (g *Git) Committer() string { return g.committer }
