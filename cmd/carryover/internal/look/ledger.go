package look

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// NewLedgerCommand makes `carryover ledger`.
func NewLedgerCommand(a *cli.App) *cobra.Command {
	cmd := a.Group(&cobra.Command{
		Use: "ledger", Short: "Print a session report or the ledger digest",
		Example: "  carryover ledger show",
	})
	cmd.AddCommand(&cobra.Command{
		Use:     "digest",
		Short:   "Print a digest of all events",
		Long:    "The same transcripts always give the same digest.",
		Example: "  carryover ledger digest",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Query(a, func(service view.Service) (ledger.Digest, error) { return service.Digest(cmd.Context()) },
				func(digest ledger.Digest) { a.Print("%s  %s", digest.SHA256, cli.Count(digest.Events, "event")) })
		},
	})
	cmd.AddCommand(newLedgerShowCommand(a))
	return cmd
}

func newLedgerShowCommand(a *cli.App) *cobra.Command {
	var selected view.SessionSelector
	cmd := &cobra.Command{
		Use:   "show [SESSION]",
		Short: "Print the session report",
		Long:  "The report lists all decisions, files, plans and steps of a session (default: the newest one here).",
		Example: "  carryover ledger show\n" +
			"  carryover ledger show 5a7c1d00",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				selected.Session = args[0]
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			document, err := service.SessionReport(cmd.Context(), selected)
			switch {
			case err != nil && selected.Session != "":
				return unnamed(err)
			case errors.Is(err, view.ErrNotFound):
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
			case err != nil:
				return err
			}
			if a.JSON {
				return a.Object(document)
			}
			_, err = a.Out.Write([]byte(document.Text))
			return err
		},
	}
	cmd.Flags().StringVar(&selected.Directory, "project", ".", "the project in `DIR`")
	return cmd
}
