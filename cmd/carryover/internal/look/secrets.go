package look

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
)

// NewSecretsCommand makes `carryover secrets`.
func NewSecretsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "secrets [SESSION]",
		Short: "List the secrets found in the transcripts",
		Long: "Print kind, session, line and fingerprint of each, never the secret. Carryover hides them in\n" +
			"the ledger and in handoffs; the transcripts of the agents still hold them.",
		Example: "  carryover secrets\n  carryover secrets 5a7c1d00 --json",
		Args:    cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			services, err := daemon.OpenReadOnly(a.Home, a.Warn)
			if err != nil {
				return err
			}
			defer func() { _ = services.Store.Close() }()
			report, err := services.Secrets(cmd.Context(), append(args, "")[0])
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(report)
			}
			for _, one := range report.Secrets {
				a.Print("%s  %s %s:%d  %s", one.Kind, one.Tool, one.Session, one.Line, one.Fingerprint)
			}
			a.Print("%s in %s", cli.Count(len(report.Secrets), "secret"), cli.Count(report.Transcripts, "transcript"))
			if report.Unread > 0 {
				a.Note("%s could not be read", cli.Count(report.Unread, "transcript"))
			}
			return nil
		},
	}
}
