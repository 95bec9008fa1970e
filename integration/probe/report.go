package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

// Results of a fact.
const (
	resultHolds   = "holds"
	resultChanged = "changed" // not what was verified; the scenarios say whether it still works
	resultGone    = "gone"
	resultUnknown = "unknown" // not run, or broken for another reason
)

// finding is one fact, held against the newest version of a tool.
type finding struct {
	Tool    string `json:"-"`
	Fact    string `json:"fact"`
	Result  string `json:"result"`
	Message string `json:"message"`
}

// render writes the report: what needs eyes first, then all of it.
func render(w io.Writer, findings []finding) {
	counts := map[string]int{}
	for _, f := range findings {
		counts[f.Result]++
	}
	_, _ = fmt.Fprintf(w, "# The specs, held against the newest agents\n\n%d facts: %d hold, %d changed, %d gone, %d unknown.\n",
		len(findings), counts[resultHolds], counts[resultChanged], counts[resultGone], counts[resultUnknown])
	for _, part := range []struct{ result, title string }{
		{resultGone, "Gone"}, {resultChanged, "Changed"}, {resultUnknown, "Untold"}, {resultHolds, "Holds"},
	} {
		if counts[part.result] == 0 {
			continue
		}
		_, _ = fmt.Fprintf(w, "\n## %s\n\n| tool | fact | seen |\n|---|---|---|\n", part.title)
		for _, f := range findings {
			if f.Result == part.result {
				_, _ = fmt.Fprintf(w, "| %s | %s | %s |\n", f.Tool, cell(f.Fact), cell(f.Message))
			}
		}
	}
}

// ages writes, for every tool of the table, which version its facts were found on and
// how old they are.
func ages(w io.Writer, table *toolspecs.Table, now time.Time) {
	_, _ = fmt.Fprint(w, "\n## Evidence\n\n| tool | version | found | days ago |\n|---|---|---|---|\n")
	for _, spec := range table.All() {
		if spec.IsProtocol() || len(spec.Verified) == 0 {
			continue
		}
		oldest := slices.MinFunc(spec.Verified, func(a, b toolspecs.Verified) int { return strings.Compare(a.Date, b.Date) })
		days := "unknown"
		if date, err := time.Parse(time.DateOnly, oldest.Date); err == nil {
			days = strconv.Itoa(int(now.Sub(date).Hours() / 24))
		}
		_, _ = fmt.Fprintf(w, "| %s | %s | %s, %s | %s |\n", spec.Name, oldest.Version, oldest.Date, oldest.How, days)
	}
}

// cell keeps a text inside its cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
