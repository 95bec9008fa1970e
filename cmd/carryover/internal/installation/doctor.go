package installation

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/doctor"
)

// NewDoctorCommand makes `carryover doctor`.
func NewDoctorCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check the installation and suggest fixes",
		Example: "  carryover doctor",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := doctor.Run(cmd.Context(), a.Home, a.Table())
			if a.JSON {
				if err := a.Object(report); err != nil {
					return err
				}
			} else {
				for _, check := range report.Checks {
					a.Print("%-8s %-24s %s", check.Result, check.Name, check.Message)
					if check.Fix != "" {
						a.Print("%-8s %-24s → %s", "", "", check.Fix)
					}
				}
			}
			if report.Failed() {
				return cli.Ended(cli.ExitFailed)
			}
			return nil
		},
	}
}
