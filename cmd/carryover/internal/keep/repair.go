package keep

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// NewRepairCommand makes `carryover repair`.
func NewRepairCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "repair",
		Short:   "Check the ledger and rebuild it from the transcripts",
		Example: "  carryover repair",
		Long: "A damaged ledger is set aside, never deleted. The new one is filled from the transcripts, then with events\n" +
			"found only in the damaged one. Forgotten content stays forgotten.",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.Captured(); err != nil {
				return err
			}
			progress := a.Progress("reading", "files")
			result, err := daemon.Repair(cmd.Context(), a.Home, a.Warn, progress)
			if errors.Is(err, ledger.ErrLocked) {
				result, err = repairHeld(cmd.Context(), a, progress)
			}
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(result)
			}
			if result.Damaged != "" {
				a.Print("the ledger was damaged; the old file is %s", result.Aside)
				a.Print("%s recovered from it", cli.Count(result.Salvaged, "event"))
			} else {
				a.Print("the ledger is intact; its index was rebuilt")
			}
			printImport(a, result.Read)
			return nil
		},
	}
}

// repairHeld has the daemon that holds the ledger repair it.
func repairHeld(ctx context.Context, a *cli.App, progress view.Progress) (view.RepairResult, error) {
	service, err := a.Holder(ctx)
	if err != nil {
		return view.RepairResult{}, err
	}
	return service.Repair(ctx, view.RepairRequest{}, progress)
}
