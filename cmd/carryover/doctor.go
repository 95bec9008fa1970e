package main

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/doctor"
)

func newDoctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check the installation and suggest fixes",
		Example: "  carryover doctor",
		Args:    takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := doctor.Run(cmd.Context(), a.home, a.table())
			if a.json {
				if err := a.object(report); err != nil {
					return err
				}
			} else {
				for _, check := range report.Checks {
					a.print("%-8s %-24s %s", check.Result, check.Name, check.Message)
					if check.Fix != "" {
						a.print("%-8s %-24s → %s", "", "", check.Fix)
					}
				}
			}
			if report.Failed() {
				return ended(exitFailed)
			}
			return nil
		},
	}
}
