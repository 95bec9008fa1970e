// Command quality scores our handoffs on real transcripts and prints the
// table; with -write it goes into docs/quality.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/carryover-go/carryover/quality"
)

func main() {
	worst := flag.Int("worst", 0, "print our `N` worst handoffs too, with what was missed")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: quality [-worst N] FOLDER")
		os.Exit(2)
	}
	var table quality.Table
	err := quality.Sessions(flag.Arg(0), func(s *quality.Session) error { table.Add(s); return nil })
	if err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
	_, _ = table.WriteTo(os.Stdout)
	median, longest := table.Time()
	fmt.Printf("\nTime to distil: %v median, %v at most.\n", median, longest)
	slices.SortFunc(table.Worst, func(a, b quality.Judged) int {
		if a.Scores["files"] < b.Scores["files"] {
			return -1
		}
		return 1
	})
	for _, j := range table.Worst[:min(*worst, len(table.Worst))] {
		fmt.Printf("\n=== %s %s\nscores %v\nnext %v\nopen %+v\n%s", j.Cut.Name(), j.Cut.Kind, j.Scores, j.Key.Touched, j.Key.Open, j.Text)
	}
}
