// Command quality scores handoffs on a folder of real transcripts against what
// the sessions did next, and prints the table.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/carryover-go/carryover/quality"
)

func main() {
	worst := flag.Int("worst", 0, "print our `N` worst handoffs too, with the answer key")
	write := flag.String("write", "", "put the table into `FILE`, between its markers")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: quality [-worst N] [-write FILE] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *worst, *write); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(folder string, worst int, write string) error {
	table, err := quality.Measure(folder)
	if err != nil {
		return err
	}
	if len(table.Rows()) == 0 {
		return errors.New("no transcript in " + folder + " is long enough to be cut")
	}
	fmt.Print(table.Markdown())
	median, longest := table.Time()
	fmt.Printf("\nTime to distil: %v median, %v at most.\n", median, longest)
	for _, j := range table.Worst(worst) {
		fmt.Printf("\n=== %s, %s\nscores %v\nnext files %v\nopen failures %v\n%s", j.Cut.Name(), j.Cut.Kind, j.Scores, j.Key.Touched, j.Key.Open, j.Text)
	}
	if write == "" {
		return nil
	}
	return quality.WriteReport(write, table)
}
