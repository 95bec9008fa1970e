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
	var project string
	var yes bool
	cmd := &cobra.Command{
		Use:   "import [BUNDLE]",
		Short: "Read the existing transcripts of the agents",
		Long: "Projects are not changed. With BUNDLE, a file of `carryover export --bundle`, add its sessions\n" +
			"to the project they belong to: the clone with the same first commit.",
		Example: "  carryover import\n" +
			"  carryover import --root ~/old-sessions\n" +
			"  carryover import project.carryover --yes",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return importBundle(cmd.Context(), a, args[0], project, yes)
			}
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
	cmd.Flags().StringVar(&project, "project", ".", "with BUNDLE, the clone in `DIR`")
	cmd.Flags().BoolVar(&yes, "yes", false, "with BUNDLE, add what it holds")
	return cmd
}

// importBundle says what a bundle would add, and with yes adds it.
func importBundle(ctx context.Context, a *cli.App, file, project string, yes bool) error {
	request := view.BundleRequest{Preview: !yes}
	var err error
	if request.File, err = filepath.Abs(file); err != nil {
		return err
	}
	if request.Directory, err = filepath.Abs(project); err != nil {
		return err
	}
	service, done, err := a.Writer(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := service.ImportBundle(ctx, request)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Object(result)
	}
	if result.Elsewhere > 0 {
		a.Note("carryover: warning: %s left out: they are known here in another project", cli.Count(result.Elsewhere, "session"))
	}
	if yes {
		a.Print("added %s and %s to %s", cli.Count(result.New, "session"), cli.Count(result.Added, "event"), result.Project)
		return nil
	}
	a.Print("would add to %s, of %s: %d of %s are new, with %s in all", result.Project, result.From, result.New, cli.Count(result.Sessions, "session"), cli.Count(result.Events, "event"))
	a.Note("nothing was changed; --yes adds it")
	return nil
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
