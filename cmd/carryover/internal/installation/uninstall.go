package installation

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
)

// NewUninstallCommand makes `carryover uninstall`.
func NewUninstallCommand(a *cli.App) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "Disconnect the agents and stop the daemon",
		Example: "  carryover uninstall --dry-run",
		Args:    cli.TakesNothing,
		RunE:    func(cmd *cobra.Command, _ []string) error { return uninstall(cmd.Context(), a, dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the changes as a diff without applying them")
	return cmd
}

func uninstall(ctx context.Context, a *cli.App, dryRun bool) error {
	if !dryRun {
		if err := setup.NoLogin(ctx, a.Home); err != nil {
			return err
		}
		if _, err := stopDaemon(ctx, a); err != nil {
			return err
		}
	}
	outcomes, err := setup.Uninstall(a.Table(), a.Home, dryRun)
	if err != nil {
		return err
	}
	if a.JSON {
		if err := a.Object(installReport{Schema: cli.Schema, DryRun: dryRun, Tools: reportOf(a, outcomes, dryRun)}); err != nil {
			return err
		}
	}
	failed := false
	for _, o := range outcomes {
		failed = failed || o.Err != nil
		switch {
		case o.Err != nil:
			a.Note("carryover: error: %s", o.Err)
			a.Note("carryover: hint: correct the file, then run `carryover uninstall` again")
		case a.JSON:
		case dryRun:
			printDiff(a, o.Tool, o.Change)
		default:
			printOutcome(a, o)
		}
	}
	if failed {
		return cli.Ended(cli.ExitFailed)
	}
	if !a.JSON && !dryRun {
		if len(outcomes) == 0 {
			a.Print("no agent was connected")
		}
		a.Print("the ledger stays in %s; delete the folder to remove everything", a.Home)
	}
	return nil
}
