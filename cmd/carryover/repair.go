package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

func newRepairCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "repair",
		Short:   "Check the ledger and rebuild it from the transcripts",
		Example: "  carryover repair",
		Long: "A damaged ledger is set aside, never deleted. The new one is filled from the transcripts, then with events\n" +
			"found only in the damaged one. Forgotten content stays forgotten.",
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.captured(); err != nil {
				return err
			}
			progress := a.progress("reading", "files")
			result, err := daemon.Repair(cmd.Context(), a.home, a.warn, progress)
			if errors.Is(err, ledger.ErrLocked) {
				result, err = repairHeld(cmd.Context(), a, progress)
			}
			if err != nil {
				return err
			}
			if a.json {
				return a.object(result)
			}
			if result.Damaged != "" {
				a.print("the ledger was damaged; the old file is %s", result.Aside)
				a.print("%s recovered from it", count(result.Salvaged, "event"))
			} else {
				a.print("the ledger is intact; its index was rebuilt")
			}
			printImport(a, result.Read)
			return nil
		},
	}
}

// repairHeld has the daemon that holds the ledger repair it.
func repairHeld(ctx context.Context, a *app, progress view.Progress) (view.RepairResult, error) {
	service, err := a.holder(ctx)
	if err != nil {
		return view.RepairResult{}, err
	}
	return service.Repair(ctx, view.RepairRequest{}, progress)
}
