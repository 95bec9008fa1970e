package keep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewImportCommand makes `carryover import`.
func NewImportCommand(a *cli.App) *cobra.Command {
	var request view.ImportRequest
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Read the existing transcripts of the agents",
		Long:  "Projects are not changed.",
		Example: "  carryover import\n" +
			"  carryover import --root ~/old-sessions",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.KnownTool("tool", request.Tool); err != nil {
				return err
			}
			if err := rooted(&request.Root); err != nil {
				return err
			}
			result, err := importHistory(cmd.Context(), a, request)
			if err != nil {
				return err
			}
			if a.JSON {
				if err := a.Object(result); err != nil {
					return err
				}
			} else {
				printImport(a, result)
			}
			if len(result.Errors) > 0 {
				return cli.Ended(cli.ExitFailed)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&request.Tool, "tool", "", "read only the transcripts of `TOOL`")
	cmd.Flags().StringVar(&request.Root, "root", "", "read only transcripts below `DIR`, detected by their content")
	return cmd
}

func importHistory(ctx context.Context, a *cli.App, request view.ImportRequest) (view.ImportResult, error) {
	service, done, err := a.Writer(ctx)
	if err != nil {
		return view.ImportResult{}, err
	}
	defer done()
	return service.Import(ctx, request, a.Progress("importing", "files"))
}

// rooted makes --root a path that the daemon, which runs elsewhere, finds too.
func rooted(root *string) error {
	if *root == "" {
		return nil
	}
	if _, err := os.Stat(*root); err != nil {
		return cli.Coded(cli.ExitFailed, "not_found", fmt.Errorf("import: %w", err), "name a folder of transcripts with --root, or omit it to read those of your agents")
	}
	abs, err := filepath.Abs(*root)
	*root = abs
	return err
}

func printImport(a *cli.App, r view.ImportResult) {
	if r.Files == 0 && len(r.Foreign) == 0 && len(r.Errors) == 0 {
		a.Print("no transcripts of supported agents found")
		return
	}
	a.Print("%s, %s from %s (%s)", cli.Count(r.Sessions, "session"), cli.Count(r.Events, "new event"), cli.Count(r.Files, "file"), cli.Size(r.Bytes))
	if r.Records > 0 {
		known := float64(r.Read+r.Skipped) / float64(r.Records) * 100
		a.Print("%d records: %d read, %d skipped on purpose, %.2f %% known", r.Records, r.Read, r.Skipped, known)
	}
	for _, tool := range cli.SortedKeys(r.Unknown) {
		var types []string
		for _, name := range cli.SortedKeys(r.Unknown[tool]) {
			types = append(types, fmt.Sprintf("%s ×%d", name, r.Unknown[tool][name]))
		}
		a.Print("unknown in %s: %s", tool, strings.Join(types, ", "))
	}
	for _, path := range r.Empty {
		a.Note("carryover: warning: nothing to read in %s", path)
	}
	if n := len(r.NoPrompt); n > 0 {
		a.Note("carryover: warning: no prompt found in %s%s", r.NoPrompt[0], cli.Others(n))
	}
	if n := len(r.Foreign); n > 0 {
		a.Note("carryover: warning: skipped, not a transcript of a supported agent: %s%s", r.Foreign[0], cli.Others(n))
	}
	for _, e := range r.Errors {
		a.Note("carryover: error: %s", e.Message)
	}
}
