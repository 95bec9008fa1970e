package keep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewExportCommand makes `carryover export`.
func NewExportCommand(a *cli.App) *cobra.Command {
	var request view.ExportRequest
	var output string
	cmd := &cobra.Command{
		Use:   "export [SESSION]",
		Short: "Export sessions and their events as JSON lines",
		Long:  "Each session is one line of type \"session\", followed by its events, one line of type \"event\" each.",
		Example: "  carryover export --output history.jsonl\n" +
			"  carryover export --project . | gzip > history.jsonl.gz\n" +
			"  carryover export 5a7c1d00",
		Args: cli.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				request.Session = args[0]
			}
			service, done, err := a.Reader()
			if err != nil {
				return err
			}
			defer done()
			to := a.RawOut
			if output != "" {
				file, err := os.OpenFile(output, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
				if err != nil {
					return fmt.Errorf("export: %w", err)
				}
				defer func() { _ = file.Close() }()
				to = file
			}
			lines := bufio.NewWriter(to)
			encode := json.NewEncoder(cli.NewScreenWriter(lines))
			encode.SetEscapeHTML(false)
			n, err := service.Export(cmd.Context(), request, func(line view.ExportLine) error { return encode.Encode(line) })
			if errors.Is(err, view.ErrNotFound) {
				return cli.Coded(cli.ExitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
			}
			if err != nil {
				return err
			}
			if output != "" {
				a.Note("wrote %s to %s", cli.Count(n, "session"), output)
			}
			return lines.Flush()
		},
	}
	cmd.Flags().StringVar(&request.Directory, "project", "", "export only the project in `DIR`")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, readable only by you")
	return cmd
}
