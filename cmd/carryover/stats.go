package main

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/view"
)

// busiest is how many projects are listed; --json has them all.
const busiest = 10

func newStatsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stats",
		Short:   "Count sessions, events and delivered handoffs",
		Example: "  carryover stats",
		Args:    takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, done, err := a.reader()
			if err != nil {
				return err
			}
			defer done()
			report, err := service.Stats(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.object(report)
			}
			a.print("%s, %s, %s on disk", count(report.Sessions, "session"), count(report.Events, "event"), size(report.Bytes))
			a.print("%s delivered to new sessions; none delivered %d times", count(report.Restores.Given, "handoff"), report.Restores.Nothing)
			printStats(a, "tool", report.Tools)
			printStats(a, "project", report.Projects[:min(busiest, len(report.Projects))])
			if more := len(report.Projects) - busiest; more > 0 {
				a.print("  and %s more", count(more, "project"))
			}
			return nil
		},
	}
}

func printStats(a *app, what string, lines []view.StatsLine) {
	if len(lines) == 0 {
		return
	}
	a.print("\nby %s", what)
	for _, line := range lines {
		since := ""
		if line.First != "" {
			since = ", " + line.First[:10] + " to " + line.Last[:10]
		}
		a.print("  %s: %s, %s%s", line.Name, count(line.Sessions, "session"), count(line.Events, "event"), since)
	}
}
