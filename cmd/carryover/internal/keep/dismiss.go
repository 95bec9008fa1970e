package keep

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewDismissCommand makes `carryover dismiss`.
func NewDismissCommand(a *cli.App) *cobra.Command {
	var request view.DismissRequest
	cmd := &cobra.Command{
		Use:   "dismiss [SESSION]",
		Short: "Stop offering the latest handoff",
		Example: "  carryover dismiss\n" +
			"  carryover dismiss --undo",
		Long: "New sessions start without the handoff until its session continues. Nothing is deleted:\n" +
			"`carryover handoff SESSION` still prints it, and --undo offers it again.",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				request.Session = args[0]
			}
			directory, err := filepath.Abs(request.Directory)
			if err != nil {
				return err
			}
			request.Directory = directory
			result, err := dismiss(cmd.Context(), a, request)
			if err != nil {
				return undismissed(err, request)
			}
			if a.JSON {
				return a.Object(result)
			}
			said := "dismissed the handoff of"
			if request.Undo {
				said = "offering again the handoff of"
			}
			a.Print("%s %s session %s", said, result.Session.Tool, result.Session.Session)
			return nil
		},
	}
	cmd.Flags().StringVar(&request.Directory, "project", ".", "the project in `DIR`")
	cmd.Flags().BoolVar(&request.Undo, "undo", false, "offer a dismissed handoff again")
	return cmd
}

func dismiss(ctx context.Context, a *cli.App, request view.DismissRequest) (view.DismissResult, error) {
	if err := a.Captured(); err != nil {
		return view.DismissResult{}, err
	}
	service, done, err := a.Writer(ctx)
	if err != nil {
		return view.DismissResult{}, err
	}
	defer done()
	return service.Dismiss(ctx, request)
}

// undismissed says what to do about a session that was not found.
func undismissed(err error, request view.DismissRequest) error {
	missing := errors.Is(err, view.ErrNotFound)
	switch {
	case errors.Is(err, view.ErrUnchanged):
		return cli.Coded(cli.ExitNothing, "unchanged", err, "%s", view.ErrorOf(err).Hint)
	case errors.Is(err, view.ErrInvalid):
		return cli.Coded(cli.ExitUsage, "ambiguous", err, "type more characters of the id")
	case missing && request.Session != "":
		return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover search WORDS` to find a session")
	case missing:
		return cli.Coded(cli.ExitNothing, "not_found", err, "change to the project folder, or name it with --project")
	}
	return err
}
