package look

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// NewBlameCommand makes `carryover blame`.
func NewBlameCommand(a *cli.App) *cobra.Command {
	request := view.BlameRequest{Directory: "."}
	cmd := &cobra.Command{
		Use:     "blame PATH",
		Short:   "List the sessions and requests behind a file's changes",
		Example: "  carryover blame parser.go",
		Args:    cli.Takes(1, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			request.Path = args[0]
			return cli.Query(a, func(service view.Service) (view.Blame, error) { return service.Blame(cmd.Context(), request) },
				func(blame view.Blame) { printBlame(a, blame) })
		},
	}
	cmd.Flags().IntVar(&request.Limit, "limit", 0, "show at most `N` changes (default 20)")
	return cmd
}

func printBlame(a *cli.App, blame view.Blame) {
	if len(blame.Items) == 0 {
		a.Print("no captured session changed %s", blame.Path)
		return
	}
	for _, item := range blame.Items {
		failed := ""
		if item.Failed > 0 {
			failed = cli.Count(item.Failed, " failed call")
			failed = "," + failed[1:]
		}
		a.Print("%s  %-11s %s:%d  %s ×%d%s", cli.Minute(item.Time), item.Tool, render.ShortID(item.Session), item.Source.Line, item.Change, item.Calls, failed)
		if item.Request != "" {
			a.Print("    %s", cli.OneLine(item.Request, 110))
		}
		for _, decision := range item.Decisions {
			a.Print("    decided: %s", cli.OneLine(decision, 100))
		}
	}
}
