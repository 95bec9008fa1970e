package look

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/finder"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// projectWidth bounds the name of a project in a row, in runes.
const projectWidth = 15

// kindWidth is from which width on of a terminal a row has room for the kind of
// its best hit.
const kindWidth = 100

// hitGroup is the hits of one session, or of one named agent, the best first.
type hitGroup []view.SearchHit

// groupHits puts hits of one session together; the best hit of a session places
// it.
func groupHits(hits []view.SearchHit) []hitGroup {
	var groups []hitGroup
	at := map[string]int{}
	for _, hit := range hits {
		key := hit.Tool + " " + hit.Session + " " + hit.Agent + " " + hit.Handoff
		i, known := at[key]
		if !known {
			i, at[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], hit)
	}
	return groups
}

// printGroups prints a row for each session and its best hit below it, within
// the width of the terminal; a pipe has no width.
func printGroups(a *cli.App, groups []hitGroup) {
	out := int(os.Stdout.Fd())
	screen := term.IsTerminal(out) && os.Getenv("TERM") != "dumb"
	bold := screen && os.Getenv("NO_COLOR") == ""
	width := 0
	if screen {
		if columns, _, err := term.GetSize(out); err == nil {
			width = columns
		}
	}
	for _, group := range groups {
		best := group[0]
		a.Print("%s", group.row(width > 0 && width < kindWidth))
		snippet, marks := truncateSnippet(best.Snippet, best.Marks, width-4)
		if !bold {
			marks = nil
		}
		_, _ = fmt.Fprintf(a.RawOut, "    %s\n", finder.Marked(snippet, marks)) // it cleans the text itself
	}
}

// row says in one line whose hits these are, how old the best is, and what
// `carryover show` takes for it. A narrow one leaves the kind out.
func (g hitGroup) row(narrow bool) string {
	best := g[0]
	age := "?"
	if best.Time != "" {
		age = cli.Since(best.Time)
	}
	count := fmt.Sprintf("%s ago, %s", age, cli.Count(len(g), "hit"))
	if best.Agent != "" {
		return strings.TrimRight(fmt.Sprintf("%-16s  %-11s  %-10s  %s", count, best.Agent, best.Kind, best.Handoff), " ")
	}
	project := "-"
	if best.Directory != "" {
		project = filepath.Base(best.Directory)
	}
	kind := fmt.Sprintf("  %-10s", best.Kind)
	if narrow {
		kind = ""
	}
	return fmt.Sprintf("%-16s  %-16s  %-11s%s  %s:%d", count, cli.OneLine(project, projectWidth), best.Tool, kind, render.ShortID(best.Session), best.Source.Line)
}

// truncateSnippet is a snippet within a width, with the marks that are left; a width
// below one cuts nothing.
func truncateSnippet(text string, marks [][2]int, width int) (string, [][2]int) {
	if width < 1 || len([]rune(text)) <= width {
		return text, marks
	}
	head := string([]rune(text)[:width-1])
	var left [][2]int
	for _, mark := range marks {
		if mark[1] <= len(head) {
			left = append(left, mark)
		}
	}
	return head + "…", left
}
