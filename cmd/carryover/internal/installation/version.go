package installation

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/distiller/syntax"
)

// NewVersionCommand makes `carryover version`.
func NewVersionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version",
		Example: "  carryover version",
		Args:    cli.TakesNothing,
		RunE: func(*cobra.Command, []string) error {
			if a.JSON {
				return a.Object(versionReport{
					Schema: cli.Schema, Version: version.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Symbols: syntax.Engine,
				})
			}
			a.Print("%s", VersionLine())
			return nil
		},
	}
}

// VersionLine is the version with what it was built by and for.
func VersionLine() string {
	return fmt.Sprintf("carryover %s (%s, %s/%s, symbols by %s)", version.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, syntax.Engine)
}

// versionReport is the JSON of version.
type versionReport struct {
	Schema   int    `json:"schema"`
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Symbols  string `json:"symbols"` // tree-sitter, or lines in a build without C
}
