package look

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
)

// NewWhyCommand makes `carryover why`.
func NewWhyCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "why",
		Short:   "Show what the last sessions were given, and why",
		Example: "  carryover why",
		Args:    cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			status, err := readStatus(cmd.Context(), a)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(status)
			}
			printRestores(a, status)
			return nil
		},
	}
}
