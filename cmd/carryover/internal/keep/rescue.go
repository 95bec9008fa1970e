package keep

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewRescueCommand makes `carryover rescue`.
func NewRescueCommand(a *cli.App) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "rescue SESSION",
		Short: "Give a deleted session back to its agent",
		Long: "Write the transcript of a session where it was, so that its agent can resume it. Secrets\n" +
			"stay redacted. A file that is there is never overwritten.",
		Example: "  carryover rescue 5a7c1d00\n" +
			"  carryover rescue 5a7c1d00 --to ~/rescued",
		Args: cli.Takes(1, 1, "SESSION"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to != "" {
				abs, err := filepath.Abs(to)
				if err != nil {
					return err
				}
				to = abs
			}
			services, err := daemon.OpenReadOnly(a.Home, a.Warn)
			if err != nil {
				return err
			}
			defer func() { _ = services.Store.Close() }()
			rescued, err := services.Rescue(cmd.Context(), args[0], to)
			switch {
			case err != nil:
				return err
			case a.JSON:
				return a.Object(rescued)
			}
			printRescued(a, rescued)
			return nil
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write into `DIR` instead of where the transcript was")
	return cmd
}

func printRescued(a *cli.App, r view.Rescued) {
	for _, file := range r.Files {
		a.Print("wrote %s (%s)", file.Path, cli.Size(file.Bytes))
	}
	if len(r.Commands) == 0 {
		a.Print("how %s resumes a session is not known", r.Tool)
		return
	}
	a.Print("\nGo on with it:")
	if r.Directory != "" {
		a.Print("  cd %s", cli.ShellWord(r.Directory))
	}
	for _, command := range r.Commands {
		a.Copied("  %s", cli.ShellLine(command))
	}
}
