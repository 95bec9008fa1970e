package agents

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/acpproxy"
)

// NewACPCommand makes `carryover acp`.
func NewACPCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "acp -- AGENT…",
		Short: "Run an agent behind an editor (ACP)",
		Long: "Stands between an editor (Zed, JetBrains, Neovim, Emacs) and an agent that speak the Agent Client\n" +
			"Protocol: messages pass as they are, the session is captured, and its first prompt gets the handoff.\n" +
			"The editor runs this command in place of AGENT: see `carryover install --editors`.\n\n" +
			"The exit code is that of AGENT, 125 if Carryover failed, and 126 or 127 if AGENT cannot be run.",
		Example: "  carryover acp -- gemini --acp\n  carryover acp -- opencode acp",
		Args:    cli.Takes(1, cli.Many, "AGENT"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runForEditor(cmd.Context(), a, args) },
	}
	cmd.Flags().SetInterspersed(false) // what follows AGENT is AGENT's
	return cmd
}

func runForEditor(ctx context.Context, a *cli.App, command []string) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // an editor that is gone is told by its end of input
	proxy := &acpproxy.Proxy{
		Home: a.Home, Table: a.Table(), Command: command, Env: os.Environ(),
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now,
	}
	code, err := proxy.Run(ctx)
	if err != nil {
		return notRun(command[0], err)
	}
	if code != 0 {
		return cli.Ended(code)
	}
	return nil
}
