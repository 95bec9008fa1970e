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
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			report, err := service.Stats(cmd.Context())
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(report)
			}
			a.Print("%s, %s, %s on disk", cli.Count(report.Sessions, "session"), cli.Count(report.Events, "event"), cli.Size(report.Bytes))
			a.Print("%s delivered to new sessions; none delivered %d times", cli.Count(report.Restores.Given, "handoff"), report.Restores.Nothing)
			printStats(a, "tool", report.Tools)
			printStats(a, "project", report.Projects[:min(busiest, len(report.Projects))])
			if more := len(report.Projects) - busiest; more > 0 {
				a.Print("  and %s more", cli.Count(more, "project"))
			}
			return nil
		},
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
