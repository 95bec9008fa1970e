package installation

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/hookclient"
)

// statusLineReport is the JSON of statusline.
type statusLineReport struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
}

// NewStatusLineCommand makes `carryover statusline`.
func NewStatusLineCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "Print the settings of a status line for Claude Code and tmux",
		Long: "The line shows the project, the context usage and whether a handoff is ready. It is printed by the\n" +
			"hook client, which starts no daemon and asks nobody.",
		Example: "  carryover statusline",
		Args:    cli.TakesNothing,
		RunE: func(*cobra.Command, []string) error {
			command := `"` + a.Home.Hook() + `" ` + hookclient.StatusLineEvent
			if a.JSON {
				return a.Object(statusLineReport{cli.Schema, command})
			}
			settings, err := json.MarshalIndent(map[string]any{"statusLine": map[string]string{"type": "command", "command": command}}, "", "  ")
			if err != nil {
				return err
			}
			a.Print("Claude Code, in ~/.claude/settings.json:\n")
			a.Copied("%s\n", settings)
			a.Print("tmux, in ~/.tmux.conf:\n")
			a.Copied("set -g status-right '#(%s \"#{pane_current_path}\")'", command)
			return nil
		},
	}
}
