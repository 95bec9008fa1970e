package installation

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// NewRefreshCommand makes `carryover refresh`.
func NewRefreshCommand(a *cli.App) *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{
		Use:     "refresh",
		Short:   "Update the hooks after an agent was upgraded",
		Example: "  carryover refresh --yes",
		Long: "Detect the versions of the chosen agents, update their hooks to match, and print each change as a diff.\n" +
			"Agents you deselect are disconnected. A second run changes nothing.",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags.again = againWithout(cmd, "dry-run")
			return refresh(cmd.Context(), a, flags)
		},
	}
	flags.add(cmd, "the agents chosen before")
	return cmd
}

func refresh(ctx context.Context, a *cli.App, flags installFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	selected, err := savedTools(ctx, a, flags)
	if err != nil {
		return cancelled(a, err, "refresh")
	}
	flags.noHistory = true
	options, err := setupOptions(a, selected, flags)
	if err != nil {
		return err
	}
	outcomes, err := setup.Refresh(ctx, a.Table(), options)
	if err != nil {
		return err
	}
	if !a.JSON && !flags.dryRun {
		for _, o := range outcomes {
			if o.Err == nil && o.Change.Changed() {
				a.Print("%s", diff(o.Change))
			}
		}
	}
	return conclude(ctx, a, outcomes, flags)
}
