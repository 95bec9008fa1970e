package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
)

func (a *app) exportCommand() *cobra.Command {
	var directory, output string
	cmd := &cobra.Command{
		Use:   "export [SESSION]",
		Short: "Export sessions and their events as JSON lines",
		Long:  "Each session is one line of type \"session\", followed by its events, one line of type \"event\" each.",
		Example: "  carryover export --output history.jsonl\n" +
			"  carryover export --project . | gzip > history.jsonl.gz\n" +
			"  carryover export 5a7c1d00",
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			session := ""
			if len(args) > 0 {
				session = args[0]
			}
			return a.reading(func(pipeline *daemon.Pipeline) error {
				to := a.rawOut
				if output != "" {
					file, err := os.OpenFile(output, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
					if err != nil {
						return fmt.Errorf("export: %w", err)
					}
					defer func() { _ = file.Close() }()
					to = file
				}
				lines := bufio.NewWriter(to)
				encode := json.NewEncoder(screenWriter{lines})
				encode.SetEscapeHTML(false)
				n, err := pipeline.Export(cmd.Context(), directory, session, encode.Encode)
				if missing, _ := absent(err); missing {
					return coded(exitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
				}
				if err != nil {
					return err
				}
				if output != "" {
					a.note("wrote %s to %s", count(n, "session"), output)
				}
				return lines.Flush()
			})
		},
	}
	cmd.Flags().StringVar(&directory, "project", "", "export only the project in `DIR`")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE`, readable only by you")
	return cmd
}
