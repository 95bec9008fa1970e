package look

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// busiest is how many projects are listed; --json has them all.
const busiest = 10

// barWidth is how long the longest bar of a chart is, in columns.
const barWidth = 16

// NewStatsCommand makes `carryover stats`.
func NewStatsCommand(a *cli.App) *cobra.Command {
	var effect bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count sessions, events and delivered handoffs",
		Example: "  carryover stats\n" +
			"  carryover stats --effect",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if effect {
				return cli.Query(a, func(service view.Service) (view.Effects, error) { return service.Effects(cmd.Context()) },
					func(effects view.Effects) { printEffects(a, effects) })
			}
			return cli.Query(a, func(service view.Service) (view.Stats, error) { return service.Stats(cmd.Context()) },
				func(stats view.Stats) { printAllStats(a, stats) })
		},
	}
	cmd.Flags().BoolVar(&effect, "effect", false, "compare sessions with a handoff and without, and count tokens by day")
	return cmd
}

func printAllStats(a *cli.App, stats view.Stats) {
	a.Print("%s, %s, %s on disk", cli.Count(stats.Sessions, "session"), cli.Count(stats.Events, "event"), cli.Size(stats.Bytes))
	a.Print("the raw records of %s are kept in %s of it", cli.Count(stats.Kept, "transcript"), cli.Size(stats.KeptBytes))
	a.Print("%s delivered to new sessions; %s without one", cli.Count(stats.Restores.Given, "handoff"), cli.Count(stats.Restores.Nothing, "start"))
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
	a.Print("")
	most := 0
	for _, line := range lines {
		most = max(most, line.Events)
	}
	charted := cli.ScreenOf().Width > 0
	var rows [][]string
	for _, line := range lines {
		first, last := "", ""
		if line.First != "" {
			first, last = line.First[:10], line.Last[:10]
		}
		row := []string{cli.HomePath(line.Name), cli.Number(line.Sessions), cli.Number(line.Events), first, last}
		if charted {
			row = append(row, cli.Bar(line.Events, most, barWidth))
		}
		rows = append(rows, row)
	}
	columns := []cli.Column{
		{Title: "BY " + strings.ToUpper(what), Fill: true, Tail: true},
		{Title: "SESSIONS", Right: true},
		{Title: "EVENTS", Right: true},
		{Title: "FIRST", Extra: true},
		{Title: "LAST"},
	}
	if charted {
		columns = append(columns, cli.Column{Extra: true})
	}
	a.PrintTable(columns, rows)
}
