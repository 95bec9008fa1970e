package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/ledger"
)

func (a *app) importCommand() *cobra.Command {
	var request api.ImportRequest
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Read the history that is on disk already; touches no project",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			result, err := a.importHistory(cmd, request)
			if err != nil {
				return err
			}
			if a.json {
				if err := a.object(result); err != nil {
					return err
				}
			} else {
				a.printImport(result)
			}
			if len(result.Errors) > 0 {
				return ended(exitFailed)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&request.Tool, "tool", "", "only this tool")
	cmd.Flags().StringVar(&request.Root, "root", "", "only transcripts below this folder, recognised by their content")
	return cmd
}

// importHistory writes itself, or asks the daemon that holds the ledger.
func (a *app) importHistory(cmd *cobra.Command, request api.ImportRequest) (daemon.Imported, error) {
	pipeline, err := daemon.Writing(a.home, a.warn)
	if errors.Is(err, ledger.ErrLocked) {
		var result daemon.Imported
		return result, client.New(a.home).Import(cmd.Context(), request, &result)
	}
	if err != nil {
		return daemon.Imported{}, err
	}
	defer func() { _ = pipeline.Log.Close() }()
	return pipeline.ImportHistory(cmd.Context(), request, a.progress("importing"))
}

// progress is a bar on a terminal and nothing elsewhere.
func (a *app) progress(what string) func(done, total int, path string) {
	if a.json || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int, _ string) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.err), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(done)
	}
}

func (a *app) printImport(r daemon.Imported) {
	a.print("%d sessions, %d new events from %d files (%s)", r.Sessions, r.Events, r.Files, size(r.Bytes))
	if r.Records > 0 {
		known := float64(r.Read+r.Skipped) / float64(r.Records) * 100
		a.print("%d records: %d read, %d skipped on purpose, %.2f %% known", r.Records, r.Read, r.Skipped, known)
	}
	for _, tool := range sortedKeys(r.Unknown) {
		var types []string
		for _, name := range sortedKeys(r.Unknown[tool]) {
			types = append(types, fmt.Sprintf("%s ×%d", name, r.Unknown[tool][name]))
		}
		a.print("unknown in %s: %s", tool, strings.Join(types, ", "))
	}
	for _, path := range r.Empty {
		a.note("carryover: warning: nothing to read in %s", path)
	}
	if n := len(r.Foreign); n > 0 {
		a.note("carryover: warning: %d files are no transcripts of a tool we know, %s for one", n, r.Foreign[0])
	}
	for _, e := range r.Errors {
		a.note("carryover: error: %s", e.Message)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// size writes bytes in the unit a person would choose.
func size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	default:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
}
