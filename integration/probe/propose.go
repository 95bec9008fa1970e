package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A proposal is the change of the specs that a check without a finding allows: the
// version and date of what was seen live, in the spec and in its evidence. A fact that
// changed or is gone is for a person: nothing is proposed for that tool.

// raised is a tool whose facts hold on a newer version.
type raised struct{ Tool, From, To string }

// newerThan is how the check tells of an installed version that the spec was not
// verified on.
var newerThan = regexp.MustCompile(`^(\S+) is newer than (\S+),`)

// proposals are the tools of which nothing but the version changed, and of which a
// scenario passed.
func proposals(findings []finding) []raised {
	var order []string
	found, passed, held := map[string]raised{}, map[string]bool{}, map[string]bool{}
	for _, f := range findings {
		m := newerThan.FindStringSubmatch(f.Message)
		switch {
		case f.Fact == "version" && m != nil:
			found[f.Tool] = raised{f.Tool, m[2], m[1]}
			order = append(order, f.Tool)
		case f.Result == resultGone || f.Result == resultChanged:
			for _, tool := range strings.Split(f.Tool, ", ") {
				held[tool] = true
			}
		case f.Result == resultHolds && strings.HasPrefix(f.Message, "scenario "):
			for _, tool := range strings.Split(f.Tool, ", ") {
				passed[tool] = true
			}
		}
	}
	var out []raised
	for _, tool := range order {
		if passed[tool] && !held[tool] {
			out = append(out, found[tool])
		}
	}
	return out
}

// seenByScenarios are the groups of facts that the scenarios of a tool look at.
var seenByScenarios = []string{"hooks", "transcripts"}

// write puts a proposal into the files of its tool below the folder of all tools, and
// returns what was raised.
func (r raised) write(tools, date string) ([]string, error) {
	spec, evidence := filepath.Join(tools, r.Tool, "spec.json"), filepath.Join(tools, r.Tool, "evidence.md")
	table, err := os.ReadFile(spec)
	if err != nil {
		return nil, fmt.Errorf("read the spec: %w", err)
	}
	notes, err := os.ReadFile(evidence)
	if err != nil {
		return nil, fmt.Errorf("read the evidence: %w", err)
	}
	var groups []string
	for _, group := range seenByScenarios {
		entry := regexp.MustCompile(`(\{"group": "` + group + `", "version": ")[^"]+(", "date": ")[^"]+(", "how": "live)`)
		section := regexp.MustCompile(`(?s)(\n## ` + group + `\n.*?)(\n*)(\n## |\z)`)
		if !entry.Match(table) || !section.Match(notes) {
			continue
		}
		table = entry.ReplaceAll(table, []byte("${1}"+r.To+"${2}"+date+"${3}"))
		line := r.To + ", " + date + ", live: the weekly check. What the spec says was found in the program, and the scenarios of the tool passed."
		notes = section.ReplaceAll(notes, []byte("${1}\n\n"+line+"${2}${3}"))
		groups = append(groups, group)
	}
	if len(groups) == 0 {
		return nil, nil
	}
	if err := os.WriteFile(spec, table, 0o600); err != nil {
		return nil, fmt.Errorf("write the spec: %w", err)
	}
	if err := os.WriteFile(evidence, notes, 0o600); err != nil {
		return nil, fmt.Errorf("write the evidence: %w", err)
	}
	return groups, nil
}

// propose writes all proposals and prints them as the text of a pull request.
func propose(facts, newest, pinned, tools, date string) error {
	findings, err := gather(facts, newest, pinned)
	if err != nil {
		return err
	}
	for _, r := range proposals(findings) {
		groups, err := r.write(tools, date)
		if err != nil {
			return err
		}
		if len(groups) > 0 {
			fmt.Printf("- %s %s → %s: %s\n", r.Tool, r.From, r.To, strings.Join(groups, ", "))
		}
	}
	return nil
}
