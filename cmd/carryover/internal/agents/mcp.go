package agents

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/mcpserver"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// NewMCPCommand makes `carryover mcp`.
func NewMCPCommand(a *cli.App) *cobra.Command {
	var directory string
	var all bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the ledger to an agent over MCP (stdio)",
		Long: "The tools are search, handoff, show, decisions, open_work, blame, continuity_save and\n" +
			"continuity_load. Answers are compact text; all but continuity_save change nothing.",
		Example: "  claude mcp add carryover -- carryover mcp\n" +
			"  carryover mcp --all-projects",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.JSON {
				return cli.Usage(cmd, "--json does not apply: the output is the protocol")
			}
			abs, err := filepath.Abs(directory)
			if err != nil {
				return err
			}
			if all {
				abs = ""
			}
			server := mcpserver.Server{
				Directory: abs, Open: a.Reader,
				Tell: func(ctx context.Context, message view.AgentMessage) (view.AgentAnswer, error) {
					return tellOrKeep(ctx, a, message)
				},
			}
			if err := server.Run(cmd.Context(), &mcp.StdioTransport{}); err != nil && cmd.Context().Err() == nil {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&directory, "project", ".", "answer for the project in `DIR`")
	cmd.Flags().BoolVar(&all, "all-projects", false, "answer for every project on this machine")
	return cmd
}

// tellOrKeep is tell, but for a save that nobody can take now: it stays on the
// disk until somebody can.
func tellOrKeep(ctx context.Context, a *cli.App, message view.AgentMessage) (view.AgentAnswer, error) {
	answer, err := tell(ctx, a, message)
	if errors.Is(err, client.ErrNotRunning) && message.Type == view.MessageSave {
		if _, err = continuity.SpoolOf(a.Home).Put(message); err == nil {
			err = mcpserver.ErrLater
		}
	}
	return answer, err
}
