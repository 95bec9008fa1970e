// Command secrets measures what package redact finds and what it takes for a
// secret wrongly, and writes docs/secrets.md.
//
// The samples are the kinds of package secretcorpus and, where the network or
// the module cache has it, texts in which gitleaks finds a secret. False alarms
// are counted over the folders in CARRYOVER_CORPUS and over the code of Go and
// of the module cache.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	write := flag.String("write", "", "write the report to `FILE`")
	show := flag.Int("show", 0, "print up to `N` missed samples and N lines of false alarms of each kind")
	lines := flag.Int("lines", 5_000_000, "read at most `N` lines of code")
	flag.Parse()
	m := measurement{show: *show, lines: *lines}
	report := m.run()
	fmt.Print(report)
	if *write == "" {
		return
	}
	if err := os.WriteFile(*write, []byte(report), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
}
