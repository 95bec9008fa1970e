package installation

import (
	"cmp"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/toolspecs"
)

// NewToolspecsCommand makes `carryover toolspecs`.
func NewToolspecsCommand(a *cli.App) *cobra.Command {
	cmd := a.Group(&cobra.Command{
		Use:     "toolspecs",
		Short:   "Show the supported agents and check their versions",
		Example: "  carryover toolspecs check --live",
	})
	show := &cobra.Command{
		Use: "show TOOL", Short: "Print the spec of an agent",
		Example: "  carryover toolspecs show claude-code",
		Args:    cli.Takes(1, 1, "TOOL"),
		RunE:    func(_ *cobra.Command, args []string) error { return showSpec(a, args[0]) },
	}
	list := &cobra.Command{
		Use: "list", Short: "List the supported agents",
		Example: "  carryover toolspecs list",
		Args:    cli.TakesNothing,
		RunE:    func(*cobra.Command, []string) error { return listSpecs(a) },
	}
	cmd.AddCommand(list, show, newToolspecsCheckCommand(a), newInstallSpecsCommand(a), newRemoveSpecsCommand(a))
	return cmd
}

// specList is the JSON of toolspecs list.
type specList struct {
	Schema  int          `json:"schema"`
	Version string       `json:"version"`          // of the specs in force
	Bundle  bool         `json:"bundle,omitempty"` // they come from an installed bundle
	Tools   []listedSpec `json:"tools"`
}

type listedSpec struct {
	Tool     string           `json:"tool"`
	Name     string           `json:"name"`
	Override string           `json:"override,omitempty"` // the file that was laid over the built-in spec
	Ranges   []string         `json:"ranges"`
	Verified []verifiedReport `json:"verified"`
}

type verifiedReport struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Date    string `json:"date"`
	How     string `json:"how"`
}

func listSpecs(a *cli.App) error {
	table := a.Table()
	report := specList{Schema: cli.Schema, Version: cmp.Or(table.Bundle(), toolspecs.Version), Bundle: table.Bundle() != "", Tools: []listedSpec{}}
	for _, spec := range table.All() {
		listed := listedSpec{Tool: spec.Tool, Name: spec.Name, Override: overrideOf(a, spec.Tool), Ranges: []string{}, Verified: verifiedOf(spec)}
		for _, r := range spec.Versions {
			listed.Ranges = append(listed.Ranges, r.Range)
		}
		report.Tools = append(report.Tools, listed)
	}
	if a.JSON {
		return a.Object(report)
	}
	own := "built in"
	if report.Bundle {
		own = "bundle " + report.Version
	}
	var rows [][]string
	for _, spec := range report.Tools {
		source := own
		if spec.Override != "" {
			source = "with " + spec.Override
		}
		rows = append(rows, []string{spec.Tool, spec.Name, oldest(spec.Verified), source, strings.Join(spec.Ranges, " or ")})
	}
	a.PrintTable([]cli.Column{{Title: "AGENT"}, {Title: "NAME", Extra: true}, {Title: "VERIFIED"}, {Title: "SPEC", Extra: true}, {Title: "VERSIONS", Fill: true}}, rows)
	return nil
}

func verifiedOf(spec *toolspecs.Spec) []verifiedReport {
	list := []verifiedReport{}
	for _, v := range spec.Verified {
		list = append(list, verifiedReport{Group: v.Group, Version: v.Version, Date: v.Date, How: v.How})
	}
	return list
}

// oldest is the date from which on all groups of facts are verified.
func oldest(verified []verifiedReport) string {
	date := ""
	for _, v := range verified {
		if date == "" || v.Date < date {
			date = v.Date
		}
	}
	return date
}

// overrideOf is the file that changes a tool's spec, "" when there is none in
// force.
func overrideOf(a *cli.App, tool string) string {
	path := a.Home.Path("toolspecs", tool+".json")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	_, failed := toolspecs.Load(os.DirFS(a.Home.Toolspecs()))
	for _, err := range failed {
		if strings.Contains(err.Error(), "override "+tool+".json:") {
			return ""
		}
	}
	return path
}

// specReport is the JSON of toolspecs show.
type specReport struct {
	Schema   int             `json:"schema"`
	Override string          `json:"override,omitempty"`
	Spec     *toolspecs.Spec `json:"spec"`
}

func showSpec(a *cli.App, tool string) error {
	spec, err := a.Table().Lookup(tool)
	if errors.Is(err, toolspecs.ErrUnknown) {
		return cli.Coded(cli.ExitUsage, "usage", err, "run `carryover toolspecs list` to list them")
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(specReport{Schema: cli.Schema, Override: overrideOf(a, tool), Spec: spec})
	}
	a.Print("%s (%s)", spec.Name, spec.Tool)
	if path := overrideOf(a, tool); path != "" {
		a.Print("changed by %s", path)
	}
	for _, v := range spec.Verified {
		a.Print("verified    %-12s %s on %s, %s", v.Group, v.How, v.Date, v.Version)
	}
	for _, r := range spec.Versions {
		a.Print("versions    %s", r.Range)
		for _, settings := range r.Settings {
			a.Print("settings    %s", joinPaths(settings.Paths))
		}
		a.Print("context     %s", strings.Join(r.Context.Reads, ", "))
		for _, limit := range r.Limits {
			a.Print("note        %s", limit)
		}
	}
	for _, hook := range spec.Hooks {
		a.Print("hook        %-22s %-13s %s", hook.Event, hook.Role, wiredText(hook))
	}
	for _, t := range spec.Transcripts {
		a.Print("transcript  %-22s %s, %s, %s", t.Role, t.Glob, t.Format, t.Growth)
	}
	a.Print("records     %d read, %d skipped on purpose", len(spec.Records.Read), len(spec.Records.Skipped))
	a.Print("calls       %d tool names known", len(spec.Calls))
	a.Note("run `carryover toolspecs show %s --json` for everything", tool)
	return nil
}

func wiredText(hook toolspecs.Hook) string {
	if hook.Wired {
		return "used, in versions " + hook.Known
	}
	return "known, in versions " + hook.Known
}

// joinPaths is a table of places as one line, the usual one without its name.
func joinPaths(byOS map[string][]string) string {
	var parts []string
	for _, goos := range cli.SortedKeys(byOS) {
		text := strings.Join(byOS[goos], " or ")
		if goos != "default" {
			text = goos + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
