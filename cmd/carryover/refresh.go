package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/setup"
)

func newRefreshCommand(a *app) *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{
		Use:     "refresh",
		Short:   "Update the hooks after an agent was upgraded",
		Example: "  carryover refresh --yes",
		Long: "Detect the versions of the chosen agents, update their hooks to match, and print each change as a diff.\n" +
			"Agents you deselect are disconnected. A second run changes nothing.",
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return refresh(cmd.Context(), a, flags) },
	}
	flags.add(cmd, "the agents chosen before")
	return cmd
}

func refresh(ctx context.Context, a *app, flags installFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	selected, err := savedTools(ctx, a, flags)
	if err != nil {
		return err
	}
	options, err := setupOptions(a, selected, flags)
	if err != nil {
		return err
	}
	outcomes, err := setup.Refresh(ctx, a.table(), options)
	if err != nil {
		return err
	}
	if !a.json && !flags.dryRun {
		for _, o := range outcomes {
			if o.Err == nil && o.Change.Changed() {
				a.print("%s", diff(o.Change))
			}
		}
	}
	return conclude(ctx, a, outcomes, flags)
}
