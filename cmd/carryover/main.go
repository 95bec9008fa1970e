// Command carryover is the user's and the scripts' way to everything.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/installation"
	"github.com/carryover-go/carryover/cmd/carryover/internal/look"
	"github.com/carryover-go/carryover/modules/daemon/version"
)

func main() { os.Exit(run()) }

// run is main without the exit, for the command scripts.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// A wrong flag ends the reading of flags, maybe before --json: a program
	// that asked for JSON gets its error so, too.
	// What stands behind -- is for the program that `run` starts.
	own := os.Args[1:]
	if end := slices.Index(own, "--"); end >= 0 {
		own = own[:end]
	}
	asked := slices.Contains(own, "--json")
	a := &cli.App{Output: cli.NewOutput(os.Stdout, os.Stderr, asked)}
	root := newRoot(a)
	root.SetOut(os.Stdout)
	root.SetErr(os.Stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.Failed(a.Explain(err))
	}
	return cli.ExitDone
}

func newRoot(a *cli.App) *cobra.Command {
	root := a.Group(&cobra.Command{
		Use:   "carryover",
		Short: "Carry the work of one agent session into the next",
		Long: "Carryover reads the transcripts of AI coding agents, keeps them in one local ledger, and\n" +
			"gives the next session, of the same agent or another, a handoff of at most 50 lines.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.Locate() },
	})
	root.RunE = func(cmd *cobra.Command, _ []string) error { return look.Home(a, cmd) }
	root.PersistentFlags().StringVar(&a.Dir, "home", "", "use `DIR` instead of ~/.carryover (also: CARRYOVER_HOME)")
	root.PersistentFlags().BoolVar(&a.JSON, "json", a.JSON, "print one JSON object to stdout")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cli.Usage(cmd, "%w", err)
	})
	root.Version = version.Version
	root.SetVersionTemplate(installation.VersionLine() + "\n")
	for _, g := range commandGroups(a) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range g.commands {
			cmd.GroupID = g.title
			leadWithSummary(cmd)
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newManualCommand(root))
	root.SetHelpCommand(newHelpCommand(root))
	root.SetHelpCommandGroupID(groupMaintain)
	root.SetCompletionCommandGroupID(groupSetUp)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Short = "Print a completion script for a shell"
		a.Group(completion)
		for _, shell := range completion.Commands() {
			shell.Args = cli.TakesNothing
		}
	}
	return root
}

// helpCommand is cobra's, but for a topic that does not exist.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command",
		Example: "  carryover help daemon logs",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return cli.Usage(root, "unknown command %q for %q", strings.Join(args, " "), root.CommandPath())
			}
			return cmd.Help()
		},
	}
}
