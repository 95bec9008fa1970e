package installation

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// bundleReport is the JSON of toolspecs install and remove.
type bundleReport struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"` // of the specs that are in force now
	Builtin string `json:"builtin"` // of those in the program
	Tools   int    `json:"tools"`
}

func newInstallSpecsCommand(a *cli.App) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "install FILE", Short: "Use newer specs from a signed bundle",
		Long: "The bundle is one file with the specs of all agents; its signature is FILE.minisig beside it.\n" +
			"A running daemon uses it at once. A newer Carryover with newer specs of its own wins.",
		Example: "  carryover toolspecs install carryover-specs_0.4.2.json",
		Args:    cli.Takes(1, 1, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			bundle, err := setup.InstallBundle(a.Home, args[0], key)
			if err != nil {
				return bundleError(err)
			}
			if a.JSON {
				return a.Object(bundleReport{cli.Schema, bundle.Version, toolspecs.Version, len(bundle.Specs)})
			}
			a.Print("specs %s of %s are in force (built in: %s)", bundle.Version, cli.Count(len(bundle.Specs), "agent"), toolspecs.Version)
			return nil
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the public `KEY` of minisign, or a file with it (default: the release key)")
	return cmd
}

func newRemoveSpecsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "remove", Short: "Use the built-in specs again",
		Example: "  carryover toolspecs remove",
		Args:    cli.TakesNothing,
		RunE: func(*cobra.Command, []string) error {
			removed, err := setup.RemoveBundle(a.Home)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.Object(bundleReport{cli.Schema, toolspecs.Version, toolspecs.Version, len(a.Table().All())})
			}
			if !removed {
				a.Print("no bundle was installed; the built-in specs %s are in force", toolspecs.Version)
				return nil
			}
			a.Print("the built-in specs %s are in force again", toolspecs.Version)
			return nil
		},
	}
}

// bundleError gives the errors of a bundle the command that mends them.
func bundleError(err error) error {
	switch {
	case errors.Is(err, setup.ErrNoKey):
		return cli.Coded(cli.ExitUsage, "usage", err, "name the key with --key")
	case errors.Is(err, setup.ErrOlder):
		return cli.Hinted(err, "nothing to do")
	case errors.Is(err, setup.ErrUnsigned):
		return cli.Hinted(err, "download the bundle and its .minisig again; nothing was changed")
	}
	return err
}
