package keep

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewExportCommand makes `carryover export`.
func NewExportCommand(a *cli.App) *cobra.Command {
	var request view.ExportRequest
	var output, packed string
	cmd := &cobra.Command{
		Use:   "export [SESSION]",
		Short: "Export sessions and their events as JSON lines",
		Long:  "Each session is one line of type \"session\", followed by its events, one line of type \"event\" each.",
		Example: "  carryover export --output history.jsonl\n" +
			"  carryover export --project . | gzip > history.jsonl.gz\n" +
			"  carryover export 5a7c1d00\n" +
			"  carryover export --bundle project.carryover",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				request.Session = args[0]
			}
			if packed != "" {
				return writeBundle(cmd, a, request, packed)
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			n := 0
			write := func(to io.Writer) (err error) {
				n, err = exportTo(cmd.Context(), service, request, to)
				return err
			}
			if output == "" {
				err = write(a.RawOut)
			} else if err = notOurs(a.Home, output); err == nil {
				err = replaceFile(output, 0o600, write)
			}
			if errors.Is(err, view.ErrNotFound) {
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
			}
			if err == nil && output != "" {
				a.Note("wrote %s to %s", cli.Count(n, "session"), output)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&request.Directory, "project", "", "export only the project in `DIR`")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, readable only by you")
	cmd.Flags().StringVar(&packed, "bundle", "", "write the project into one compressed `FILE` for `carryover import` elsewhere")
	return cmd
}

// exportTo writes the sessions and events as JSON lines, and counts the sessions.
func exportTo(ctx context.Context, service view.Service, request view.ExportRequest, to io.Writer) (int, error) {
	lines := bufio.NewWriter(to)
	encode := json.NewEncoder(cli.NewScreenWriter(lines))
	encode.SetEscapeHTML(false)
	n, err := service.Export(ctx, request, func(line view.ExportLine) error { return encode.Encode(line) })
	return n, errors.Join(err, lines.Flush())
}

// writeBundle writes the sessions of a project into one file, readable by the user alone.
func writeBundle(cmd *cobra.Command, a *cli.App, request view.ExportRequest, path string) (err error) {
	if request.Session != "" {
		return cli.Usage(cmd, "--bundle is of a whole project: leave %s out", request.Session)
	}
	services, err := daemon.OpenReadOnly(a.Home, a.Warn)
	if err != nil {
		return err
	}
	defer func() { _ = services.Store.Close() }()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	n, err := services.WriteBundle(cmd.Context(), cmp.Or(request.Directory, "."), file)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(path)
		return err
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": cli.Schema, "file": path, "sessions": n})
	}
	a.Print("wrote %s to %s: run `carryover import %s` in the project on the other machine", cli.Count(n, "session"), path, filepath.Base(path))
	return nil
}
