// Command bench measures whole commands of Carryover on synthetic transcripts,
// each beside a floor, and shows that two ledgers give the same answers.
//
//	bench generate DIR BYTES FILES     write transcripts
//	bench answers CARRYOVER HOME       print the digest, search results and handoffs of a ledger
//	bench measure CARRYOVER FILE KEPT  measure, write the table to FILE and the ratios to KEPT;
//	                                   with names of groups, only print the rows of those
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/carryover-go/carryover/integration/bench/history"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "generate":
		size, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		files, err := strconv.Atoi(args[3])
		if err != nil {
			return err
		}
		written, err := history.Write(args[1], history.Options{Bytes: size, Files: files, Seed: seed})
		fmt.Printf("%d files, %d records, %d bytes\n", written.Files, written.Records, written.Bytes)
		return err
	case len(args) == 3 && args[0] == "answers":
		return answers(os.Stdout, program{args[1], args[2]})
	case len(args) >= 4 && args[0] == "measure":
		return measure(args[1], args[2], args[3], args[4:])
	case len(args) == 2 && args[0] == "split":
		return split(args[1])
	}
	return fmt.Errorf("usage: bench generate DIR BYTES FILES, bench answers CARRYOVER HOME, bench measure CARRYOVER FILE KEPT")
}

// seed of all transcripts that are measured.
const seed = 1
