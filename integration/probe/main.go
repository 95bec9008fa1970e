// Command probe makes the report of scripts/probe-tools: it puts together what
// `carryover toolspecs check --live --json` and `go test -json` said.
//
//	probe failed RUN                     tests that failed, as a pattern for go test -run
//	probe report FACTS NEWEST PINNED     the report; ends with 1 when a fact is gone
//	probe propose FACTS NEWEST PINNED TOOLS DATE
//	                                     raise the versions of the specs in the folder TOOLS whose facts all hold, and
//	                                     print a line for each
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/toolspecs"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: probe failed RUN | probe report FACTS NEWEST PINNED | probe propose FACTS NEWEST PINNED TOOLS DATE")

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "failed":
		tests, err := readRun(args[1])
		if err == nil {
			fmt.Print(strings.Join(failed(tests), "|"))
		}
		return err
	case len(args) == 4 && args[0] == "report":
		return report(args[1], args[2], args[3])
	case len(args) == 6 && args[0] == "propose":
		return propose(args[1], args[2], args[3], args[4], args[5])
	}
	return errUsage
}

// failed are the tests at the top that failed: go runs those by name.
func failed(tests []test) []string {
	var names []string
	for _, t := range tests {
		if name, _, sub := strings.Cut(t.Name, "/"); t.Outcome == "fail" && !sub {
			names = append(names, name)
		}
	}
	return names
}

// gather puts together what was found in the programs and what the scenarios said.
func gather(facts, newest, pinned string) ([]finding, error) {
	findings, err := readFacts(facts)
	if err != nil {
		return nil, err
	}
	now, err := readRun(newest)
	if err != nil {
		return nil, err
	}
	before, err := readRun(pinned)
	if err != nil {
		return nil, err
	}
	if len(now) == 0 {
		return nil, errors.New("no scenario was run")
	}
	return append(findings, scenarios(now, before)...), nil
}

func report(facts, newest, pinned string) error {
	findings, err := gather(facts, newest, pinned)
	if err != nil {
		return err
	}
	render(os.Stdout, findings)
	table, _ := toolspecs.Load(nil)
	ages(os.Stdout, table, time.Now())
	gone := slices.ContainsFunc(findings, func(f finding) bool { return f.Result == resultGone })
	if gone {
		return errors.New("a fact is gone: see the report")
	}
	return nil
}

// readFacts reads what carryover found in the installed programs.
func readFacts(path string) ([]finding, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	var checked struct {
		Tools []struct {
			Tool string    `json:"tool"`
			Live []finding `json:"live"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(data, &checked); err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	var findings []finding
	for _, tool := range checked.Tools {
		for _, f := range tool.Live {
			f.Tool = tool.Tool
			findings = append(findings, f)
		}
	}
	return findings, nil
}
