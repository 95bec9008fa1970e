package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

func newHistoryCommand(a *app) *cobra.Command {
	var directory string
	var limit int
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "List the handoffs of this project, newest first",
		Long:    "Print one of them with `carryover handoff SESSION`.",
		Example: "  carryover history --limit 5",
		Args:    takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage(cmd, "invalid --limit %d", limit)
			}
			abs, err := filepath.Abs(directory)
			if err != nil {
				return err
			}
			service, done, err := a.reader()
			if err != nil {
				return err
			}
			defer done()
			history, err := service.HandoffHistory(cmd.Context(), view.HistoryRequest{Directory: abs, Limit: limit})
			switch {
			case errors.Is(err, view.ErrNotFound) && a.json:
				_ = a.object(history)
				return ended(exitNothing)
			case err != nil:
				return err
			case a.json:
				return a.object(history)
			}
			for _, item := range history.Items {
				a.print("%s  %-11s  %-13s  %s", minute(item.Time), item.Tool, render.ShortID(item.Session), oneLine(item.Task, 90))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "the project in `DIR`")
	cmd.Flags().IntVar(&limit, "limit", 20, "list at most `N` handoffs")
	return cmd
}
