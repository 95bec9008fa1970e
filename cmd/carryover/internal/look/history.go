package look

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// NewHistoryCommand makes `carryover history`.
func NewHistoryCommand(a *cli.App) *cobra.Command {
	var directory string
	var limit int
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "List the handoffs of this project, newest first",
		Long:    "Print one of them with `carryover handoff SESSION`.",
		Example: "  carryover history --limit 5",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return cli.Usage(cmd, "invalid --limit %d", limit)
			}
			abs, err := filepath.Abs(directory)
			if err != nil {
				return err
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			history, err := service.HandoffHistory(cmd.Context(), view.HistoryRequest{Directory: abs, Limit: limit})
			switch {
			case errors.Is(err, view.ErrNotFound) && a.JSON:
				_ = a.Object(history)
				return cli.Ended(cli.ExitNothing)
			case err != nil:
				return err
			case a.JSON:
				return a.Object(history)
			}
			var rows [][]string
			for _, item := range history.Items {
				rows = append(rows, []string{cli.Minute(item.Time), item.Tool, render.ShortID(item.Session), cli.OneLine(item.Task, 200)})
			}
			a.PrintTable([]cli.Column{{Title: "TIME"}, {Title: "AGENT", Extra: true}, {Title: "SESSION"}, {Title: "TASK", Fill: true}}, rows)
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	cmd.Flags().IntVar(&limit, "limit", 20, "list at most `N` handoffs")
	return cmd
}
