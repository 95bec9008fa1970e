package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/setup"
)

func newUninstallCommand(a *app) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "Disconnect the agents and stop the daemon",
		Example: "  carryover uninstall --dry-run",
		Args:    takesNothing,
		RunE:    func(cmd *cobra.Command, _ []string) error { return uninstall(cmd.Context(), a, dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print the changes as a diff without applying them")
	return cmd
}

func uninstall(ctx context.Context, a *app, dryRun bool) error {
	if !dryRun {
		if err := setup.NoLogin(ctx, a.home); err != nil {
			return err
		}
		if _, err := stopDaemon(ctx, a); err != nil {
			return err
		}
	}
	outcomes, err := setup.Uninstall(a.table(), a.home, dryRun)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.object(installReport{Schema: schema, DryRun: dryRun, Tools: reportOf(a, outcomes, dryRun)}); err != nil {
			return err
		}
	}
	failed := false
	for _, o := range outcomes {
		failed = failed || o.Err != nil
		switch {
		case o.Err != nil:
			a.note("carryover: error: %s", o.Err)
			a.note("carryover: hint: correct the file, then run `carryover uninstall` again")
		case a.json:
		case dryRun:
			printDiff(a, o.Tool, o.Change)
		default:
			printOutcome(a, o)
		}
	}
	if failed {
		return ended(exitFailed)
	}
	if !a.json && !dryRun {
		if len(outcomes) == 0 {
			a.print("no agent was connected")
		}
		a.print("the ledger stays in %s; delete the folder to remove everything", a.home)
	}
	return nil
}
