package agents

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
)

// instructionsReport is the JSON of continuity instructions: the text, or the
// file it was put into.
type instructionsReport struct {
	Schema int    `json:"schema"`
	Text   string `json:"text,omitempty"`
	Status string `json:"status,omitempty"` // installed, removed, unchanged
	File   string `json:"file,omitempty"`
}

func newAgentInstructionsCommand(a *cli.App) *cobra.Command {
	var install, remove bool
	cmd := &cobra.Command{
		Use:   "instructions [FILE]",
		Short: "Print the instructions for agents",
		Long: "The text tells an agent how to save, load and search its notes. With --install, add it to FILE\n" +
			"(default: AGENTS.md of the project); with --remove, remove it again.",
		Example: "  carryover continuity instructions --install\n" +
			"  carryover continuity instructions --remove CLAUDE.md",
		Args: cli.Takes(0, 1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case install && remove:
				return cli.Usage(cmd, "--install and --remove cannot be used together")
			case install || remove:
				return writeInstructions(a, contextFile(args), install)
			case len(args) > 0:
				return cli.Usage(cmd, "FILE needs --install or --remove")
			case a.JSON:
				return a.Object(instructionsReport{Schema: cli.Schema, Text: continuity.Instructions})
			}
			_, err := io.WriteString(a.Out, continuity.Instructions)
			return err
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "add the text to FILE")
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the text from FILE")
	return cmd
}

// contextFile is the file that was named, or the project's AGENTS.md.
func contextFile(args []string) string {
	if len(args) > 0 {
		return cli.Absolute(args[0])
	}
	directory := cli.Absolute(".")
	if identity, ok := gitrepo.Identity(directory); ok {
		directory = identity.Worktree
	}
	return filepath.Join(directory, "AGENTS.md")
}

func writeInstructions(a *cli.App, file string, install bool) error {
	project, err := publish.Open(filepath.Dir(file))
	if errors.Is(err, os.ErrNotExist) {
		return cli.Hinted(err, "name a file in an existing folder")
	}
	if err != nil {
		return err
	}
	defer func() { _ = project.Close() }()
	status, changed := "removed", false
	if install {
		status = "installed"
		changed, err = project.PutSection(filepath.Base(file), continuity.Instructions)
	} else {
		changed, err = project.RemoveSection(filepath.Base(file))
	}
	if err != nil {
		return cli.Hinted(err, "edit %s by hand", file)
	}
	if !changed {
		status = "unchanged"
	}
	if a.JSON {
		return a.Object(instructionsReport{Schema: cli.Schema, Status: status, File: file})
	}
	a.Print("%s: %s", status, file)
	return nil
}
