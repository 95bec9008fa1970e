package repository

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/output"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
)

// Added are the files that the newest commit added to the repository, as git listed them.
type Added struct {
	Commit string
	Paths  []string
	Turn   int
	Source distiller.Source
}

// Added are the files that the newest commit added.
func (g *Git) Added() Added { return g.added }

// addedFile is how git commit lists a file that was not there before.
var addedFile = lazyregexp.New(`(?m)^ create mode \d+ (\S.*)$`)

// maxAdded bounds how many of them are kept.
const maxAdded = 60

// adds notes what a commit added.
func (g *Git) adds(e *timeline.Event, text string) {
	m := output.Committed.FindStringSubmatch(text)
	swept := g.swept
	if m != nil {
		g.swept = false
	}
	if m == nil || !swept || g.resumed || e.Turn == g.added.Turn && !addedFile.MatchString(text) {
		return
	}
	g.added = Added{Commit: m[2], Turn: e.Turn, Source: e.Source}
	for _, file := range addedFile.FindAllStringSubmatch(text, maxAdded) {
		g.added.Paths = append(g.added.Paths, strings.Trim(file[1], "\""))
	}
}
