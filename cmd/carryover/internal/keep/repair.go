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
				printSalvaged(a, result)
			} else {
				a.Print("the ledger is intact; its index was rebuilt")
			}
			printImport(a, result.Read)
			return nil
		},
	}
}

func printSalvaged(a *cli.App, result view.RepairResult) {
	a.Print("the ledger was damaged; the old file is %s", result.Aside)
	got := result.Recovered
	if got == nil {
		return
	}
	a.Print("%s recovered from it", cli.Count(got.Events, "event"))
	if n := got.Agents + result.Mirrors; n > 0 {
		a.Print("%s of named agents recovered", cli.Count(n, "record"))
	}
	atLeast := ""
	if got.AtLeast {
		atLeast = "at least "
	}
	if got.Lost > 0 || got.AtLeast {
		a.Print("%s%s lost: they are on damaged pages and in no transcript", atLeast, cli.Count(got.Lost, "event"))
	}
	for _, session := range got.LostSessions {
		a.Print("  of %s session %s", session.Tool, session.ID)
	}
	for _, record := range got.LostAgents {
		a.Print("lost: a %s of agent %s", record.Kind, record.Agent)
	}
	for _, file := range result.Handoffs {
		a.Print("only the last handoff of a session is left: %s", file)
	}
	if got.LostRestores > 0 {
		a.Print("%s of the restore gate lost", cli.Count(got.LostRestores, "decision"))
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
