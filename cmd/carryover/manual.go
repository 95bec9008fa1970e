package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
)

// newManualCommand makes `carryover manual`, which packagers run: it writes the
// manual pages and completion scripts that packages bring along.
func newManualCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "manual DIR", Short: "Write the manual pages and completion scripts", Hidden: true, GroupID: groupMaintain,
		Example: "  carryover manual share",
		Args:    cli.Takes(1, 1, "DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			return writeManual(root, args[0])
		},
	}
}

func writeManual(root *cobra.Command, dir string) error {
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, made := range []string{man, completions} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true // the same pages on every day
	day := time.Unix(0, 0).UTC()
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Carryover", Date: &day}, man); err != nil {
		return err
	}
	for name, write := range map[string]func(string) error{
		"carryover.bash": func(path string) error { return root.GenBashCompletionFileV2(path, true) },
		"carryover.fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
		"_carryover":     root.GenZshCompletionFile,
		"carryover.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(completions, name)); err != nil {
			return err
		}
	}
	return nil
}
