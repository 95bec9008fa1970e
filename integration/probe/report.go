package main

import (
	"fmt"
	"io"
	"strings"
)

// Results of a fact.
const (
	resultHolds   = "holds"
	resultChanged = "changed" // not what was verified; the scenarios say whether it still works
	resultGone    = "gone"
	resultUntold  = "untold" // not run, or broken for another reason
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
	_, _ = fmt.Fprintf(w, "# The specs, held against the newest agents\n\n%d facts: %d hold, %d changed, %d gone, %d untold.\n",
		len(findings), counts[resultHolds], counts[resultChanged], counts[resultGone], counts[resultUntold])
	for _, part := range []struct{ result, title string }{
		{resultGone, "Gone"}, {resultChanged, "Changed"}, {resultUntold, "Untold"}, {resultHolds, "Holds"},
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

// cell keeps a text inside its cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
