package look

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewHandoffCommand makes `carryover handoff`.
func NewHandoffCommand(a *cli.App) *cobra.Command {
	var flags shapeFlags
	var request view.HandoffRequest
	cmd := &cobra.Command{
		Use:   "handoff [SESSION]",
		Short: "Print the latest handoff of this project",
		Example: "  carryover handoff\n" +
			"  carryover handoff --last --explain\n" +
			"  carryover handoff 5a7c1d00 --for human",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.check(); err != nil {
				return err
			}
			if len(args) > 0 {
				if request.Last {
					return cli.Usage(cmd, "--last and SESSION cannot be used together")
				}
				request.Session = args[0]
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			request.Mode, request.Shape, request.Explain = flags.mode, flags.shape, flags.explain
			document, err := service.Handoff(cmd.Context(), request)
			switch {
			case err != nil && request.Session != "":
				return unnamed(err)
			case errors.Is(err, view.ErrNotFound) && !request.Last:
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts, or `carryover handoff --last` for any project")
			case err != nil:
				return err
			}
			if a.JSON {
				return a.Object(document)
			}
			if flags.shape == "human" {
				document.Text = cli.ScreenOf().Wrap(document.Text)
			}
			_, err = a.Out.Write([]byte(document.Text))
			return err
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&request.Directory, "project", ".", "the project in `DIR`")
	cmd.Flags().BoolVar(&request.Last, "last", false, "print the latest handoff of any project")
	return cmd
}
