// Command carryover is the user's and the scripts' way to everything.
package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/installation"
	"github.com/carryover-go/carryover/cmd/carryover/internal/look"
	"github.com/carryover-go/carryover/modules/daemon/version"
)

func main() { os.Exit(run()) }

// run is main without the exit, for the command scripts.
func run() int {
	collectLater()
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
	// Without this a command whose output nobody reads would be killed in the middle of
	// what it changes.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	root := newRoot(a)
	root.SetOut(a.RawOut)
	root.SetErr(os.Stderr)
	err := root.ExecuteContext(ctx)
	a.EndPager()
	if err != nil {
		err = a.Explain(err)
	}
	return a.End(err)
}

func newRoot(a *cli.App) *cobra.Command {
	root := a.Group(&cobra.Command{
		Use:   "carryover",
		Short: "Carry the work of one agent session into the next",
		Long: "Carryover reads the transcripts of AI coding agents, keeps them in one local ledger, and\n" +
			"gives the next session, of the same agent or another, a handoff of at most 50 lines.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if paged(cmd) {
				a.BeginPager()
			}
			return a.Locate()
		},
	})
	var since string
	root.RunE = func(cmd *cobra.Command, _ []string) error { return look.Home(a, cmd, since) }
	root.Flags().StringVar(&since, "since", "", "print a Markdown report of the work since `WHEN` (monday, 2026-01-31, 7d)")
	root.PersistentFlags().StringVar(&a.Dir, "home", "", "use `DIR` instead of ~/.carryover (also: CARRYOVER_HOME)")
	root.PersistentFlags().BoolVar(&a.JSON, "json", a.JSON, "print one JSON object to stdout")
	root.PersistentFlags().BoolVar(&a.NoPager, "no-pager", false, "show long output without a pager (also: CARRYOVER_PAGER=cat)")
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
	root.SetHelpFunc(wrappedHelp(root.HelpFunc()))
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

// pagedCommands print more than a terminal shows at once.
var pagedCommands = []string{
	"handoff", "search", "show", "distill", "status", "why", "sessions", "history", "blame", "seam", "ledger", "projects", "secrets", "stats", "doctor",
}

// paged says whether a command is one of those, or below one.
func paged(cmd *cobra.Command) bool {
	for at := cmd; at.HasParent(); at = at.Parent() {
		if !at.Parent().HasParent() {
			return slices.Contains(pagedCommands, at.Name())
		}
	}
	return false
}

// wrappedHelp prints a command's help as the terminal has room for it.
func wrappedHelp(print func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		print(cmd, args)
		cmd.SetOut(out)
		_, _ = io.WriteString(out, cli.ScreenOf().Wrap(text.String()))
	}
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
