package installation

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/config"
)

// wired are the choices that agents' settings depend on.
var wired = []string{"tools", "fullness.mid_turn"}

// NewConfigCommand makes `carryover config`.
func NewConfigCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "config [KEY [VALUE]]",
		Short: "Show or change settings",
		Long:  "Settings are kept in ~/.carryover/config.toml. Restart the daemon to apply changes.",
		Example: "  carryover config\n" +
			"  carryover config resume brief\n" +
			"  carryover config fullness.notice 0",
		Args:      cli.Takes(0, 2),
		ValidArgs: config.Keys(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				if err := config.Set(a.Home, args[0], args[1]); err != nil {
					return cli.Coded(cli.ExitUsage, "usage", err, "run `carryover config` to list the settings; nothing was changed")
				}
				a.Note("run `carryover daemon restart` to apply the change")
				if slices.Contains(wired, args[0]) {
					a.Note("run `carryover refresh` to update the hooks of the agents")
				}
			}
			choices, err := config.Load(a.Home)
			if err != nil {
				return cli.Hinted(err, "correct the file")
			}
			values := config.Values(choices)
			if len(args) > 0 {
				values = slices.DeleteFunc(values, func(v config.Value) bool { return v.Key != args[0] })
				if len(values) == 0 {
					return cli.Usage(cmd, "unknown setting %q", args[0])
				}
			}
			switch {
			case a.JSON:
				return a.Object(map[string]any{"schema": cli.Schema, "items": values})
			case len(args) > 0:
				a.Print("%s", values[0].Value)
				return nil
			}
			for _, v := range values {
				note := ""
				if !v.Default {
					note = "  (set)"
				}
				a.Print("%s = %s%s", v.Key, v.Value, note)
			}
			return nil
		},
	}
}
