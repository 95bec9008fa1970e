package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.object(map[string]any{
					"schema": schema, "version": version.Version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			a.print("carryover %s (%s, %s/%s)", version.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
