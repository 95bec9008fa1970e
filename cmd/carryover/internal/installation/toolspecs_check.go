package installation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/speccheck"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

func newToolspecsCheckCommand(a *cli.App) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use: "check", Short: "Compare the specs with the agents on this machine",
		Example: "  carryover toolspecs check",
		Args:    cli.TakesNothing,
		Long: "For each agent and version, list unknown record types and tool names, and hooks that should have fired and\n" +
			"did not. With --live, also ask the installed programs for their versions and search them for the hook names.",
		RunE: func(cmd *cobra.Command, _ []string) error { return checkSpecs(cmd.Context(), a, live) },
	}
	cmd.Flags().BoolVar(&live, "live", false, "check the installed programs too")
	return cmd
}

// checkReport is the JSON of toolspecs check.
type checkReport struct {
	Schema    int              `json:"schema"`
	Tools     []checkedTool    `json:"tools"`
	Overrides []overrideReport `json:"overrides"`
}

type overrideReport struct {
	Path  string `json:"path"`
	Error string `json:"error,omitempty"` // why it is left aside
}

type checkedTool struct {
	Tool     string           `json:"tool"`
	Records  int64            `json:"records"` // of everything ever read
	Unknown  int64            `json:"unknown"`
	Coverage string           `json:"coverage,omitempty"` // percent known, two digits
	Sessions int              `json:"sessions"`           // looked at for versions and hooks
	Versions []checkedVersion `json:"versions"`
	Hooks    []checkedHook    `json:"hooks"`
	Live     []setup.Finding  `json:"live"`
	Members  map[string]int64 `json:"unknown_members,omitempty"` // of known records
	Gone     []string         `json:"gone,omitempty"`            // kinds of events that the newest version no longer gives
}

type checkedVersion struct {
	Version  string           `json:"version,omitempty"`
	Sessions int              `json:"sessions"`
	Kinds    map[string]int   `json:"kinds"`
	Calls    map[string]int   `json:"calls"`
	Unknown  map[string]int64 `json:"unknown_types"`
}

type checkedHook struct {
	Event     string `json:"event"`
	Verdict   string `json:"verdict"`
	Count     int    `json:"count"`
	Occasions int    `json:"occasions"`
	Last      string `json:"last,omitempty"`
}

func checkSpecs(ctx context.Context, a *cli.App, live bool) error {
	var log ledger.Store
	services, err := daemon.OpenReadOnly(a.Home, func(error) {})
	switch {
	case err == nil:
		log = services.Store
		defer func() { _ = services.Store.Close() }()
	case !errors.Is(err, view.ErrNoLedger):
		return err
	}
	table := a.Table()
	tools, err := speccheck.Look(ctx, a.Home, table, log)
	if err != nil {
		return err
	}
	report := checkReport{Schema: cli.Schema, Tools: []checkedTool{}, Overrides: listOverrides(a)}
	for _, tool := range tools {
		checked := checkedOf(tool)
		if live {
			checked.Live = append(checked.Live, setup.Probe(ctx, a.Home, tool.Spec)...)
		}
		if checked.Records > 0 || len(checked.Hooks) > 0 || len(checked.Live) > 0 {
			report.Tools = append(report.Tools, checked)
		}
	}
	if a.JSON {
		return a.Object(report)
	}
	printCheck(a, report)
	return nil
}

func checkedOf(tool speccheck.Tool) checkedTool {
	checked := checkedTool{
		Tool: tool.Spec.Tool, Records: tool.Records.Records, Unknown: tool.Records.UnknownTotal(), Sessions: tool.Sessions,
		Versions: []checkedVersion{}, Hooks: []checkedHook{}, Live: []setup.Finding{}, Gone: tool.Vanished(), Members: tool.Records.UnknownMembers(),
	}
	if checked.Records > 0 {
		checked.Coverage = fmt.Sprintf("%.2f", 100*(1-float64(checked.Unknown)/float64(checked.Records)))
	}
	for _, v := range tool.Versions {
		checked.Versions = append(checked.Versions, checkedVersion{
			Version: v.Version, Sessions: v.Sessions, Kinds: orEmpty(v.Kinds), Calls: orEmpty(v.Calls), Unknown: orEmpty(v.Unknown),
		})
	}
	for _, hook := range tool.Hooks {
		checked.Hooks = append(checked.Hooks, checkedHook{
			Event: hook.Event, Verdict: hook.Verdict(), Count: hook.Seen.Count, Occasions: hook.Occasions, Last: view.Timestamp(hook.Seen.Last),
		})
	}
	return checked
}

func orEmpty[N int | int64](counts map[string]N) map[string]N {
	if counts == nil {
		return map[string]N{}
	}
	return counts
}

// listOverrides are the files in the home that change a spec.
func listOverrides(a *cli.App) []overrideReport {
	list := []overrideReport{}
	entries, err := os.ReadDir(a.Home.Toolspecs())
	if err != nil {
		return list
	}
	_, failed := toolspecs.Load(os.DirFS(a.Home.Toolspecs()))
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		report := overrideReport{Path: a.Home.Path("toolspecs", entry.Name())}
		for _, err := range failed {
			if strings.HasPrefix(err.Error(), "override "+entry.Name()+":") {
				report.Error = err.Error()
			}
		}
		list = append(list, report)
	}
	return list
}

func printCheck(a *cli.App, report checkReport) {
	m := cli.TerminalMarks()
	if len(report.Tools) == 0 {
		a.Print("no transcripts of supported agents were read and no agent is connected")
	}
	for _, tool := range report.Tools {
		mark := m.Done
		if tool.Unknown > 0 || len(tool.Gone) > 0 || silent(tool.Hooks) || gone(tool.Live) {
			mark = m.Warning
		}
		a.Print("%s %s: %s", mark, tool.Tool, coverageText(tool))
		for _, v := range tool.Versions {
			printVersion(a, m.Indent, v)
		}
		for _, name := range cli.SortedKeys(tool.Members) {
			a.Print("%smember %s is new: %s", m.Indent, name, cli.Count(int(tool.Members[name]), "time"))
		}
		for _, lost := range tool.Gone {
			a.Print("%sno longer in the records: %s", m.Indent, lost)
		}
		for _, hook := range tool.Hooks {
			a.Print("%shook %-20s %-9s came %s, %s in the transcripts", m.Indent, hook.Event, hook.Verdict, cli.Count(hook.Count, "time"), cli.Count(hook.Occasions, "occasion"))
		}
		for _, finding := range tool.Live {
			a.Print("%slive %-20s %-9s %s", m.Indent, finding.Fact, finding.Result, finding.Message)
		}
	}
	for _, override := range report.Overrides {
		if override.Error != "" {
			a.Print("%s %s", m.Failed, override.Error)
		} else {
			a.Print("%s %s is in force", m.Done, override.Path)
		}
	}
}

func coverageText(tool checkedTool) string {
	if tool.Records == 0 {
		return "no transcripts read yet"
	}
	return fmt.Sprintf("%s %% of %d records known; the latest %s:", tool.Coverage, tool.Records, cli.Count(tool.Sessions, "session"))
}

func printVersion(a *cli.App, indent string, v checkedVersion) {
	version := v.Version
	if version == "" {
		version = "unknown version"
	}
	a.Print("%s%s: %s, %s, calls %s", indent, version, cli.Count(v.Sessions, "session"), listed(v.Kinds), listed(v.Calls))
	if len(v.Unknown) > 0 {
		a.Print("%s  unknown: %s", indent, listed(v.Unknown))
	}
}

// listed is how often each name came, by name: "bar ×1, foo ×2".
func listed[N int | int64](counts map[string]N) string {
	if len(counts) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

func silent(hooks []checkedHook) bool {
	return slices.ContainsFunc(hooks, func(h checkedHook) bool { return h.Verdict == speccheck.Silent || h.Verdict == speccheck.Stopped })
}

func gone(findings []setup.Finding) bool {
	return slices.ContainsFunc(findings, func(f setup.Finding) bool { return f.Result != setup.Holds })
}
