package look

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// busiest is how many projects are listed; --json has them all.
const busiest = 10

// NewStatsCommand makes `carryover stats`.
func NewStatsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "stats",
		Short:   "Count sessions, events and delivered handoffs",
		Example: "  carryover stats",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Query(a, func(service view.Service) (view.Stats, error) { return service.Stats(cmd.Context()) },
				func(stats view.Stats) { printAllStats(a, stats) })
		},
	}
}

func printAllStats(a *cli.App, stats view.Stats) {
	a.Print("%s, %s, %s on disk", cli.Count(stats.Sessions, "session"), cli.Count(stats.Events, "event"), cli.Size(stats.Bytes))
	a.Print("%s delivered to new sessions; none delivered %d times", cli.Count(stats.Restores.Given, "handoff"), stats.Restores.Nothing)
	printStats(a, "tool", stats.Tools)
	printStats(a, "project", stats.Projects[:min(busiest, len(stats.Projects))])
	if more := len(stats.Projects) - busiest; more > 0 {
		a.Print("  and %s more", cli.Count(more, "project"))
	}
}

func printStats(a *cli.App, what string, lines []view.StatsLine) {
	if len(lines) == 0 {
		return
	}
	a.Print("\nby %s", what)
	for _, line := range lines {
		since := ""
		if line.First != "" {
			since = ", " + line.First[:10] + " to " + line.Last[:10]
		}
		a.Print("  %s: %s, %s%s", line.Name, cli.Count(line.Sessions, "session"), cli.Count(line.Events, "event"), since)
	}
}
