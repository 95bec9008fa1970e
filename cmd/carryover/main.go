// Command carryover is the user's and the scripts' way to everything.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/ledger"
)

func main() { os.Exit(run()) }

// run is main without the exit, for the command scripts.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{output: output{out: os.Stdout, err: os.Stderr}}
	root := a.root()
	root.SetOut(os.Stdout)
	root.SetErr(os.Stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.failed(explain(err))
	}
	return exitDone
}

// app is what all commands share.
type app struct {
	output
	dir  string // --home
	home home.Dir
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "carryover",
		Short: "Carry the work of one agent session into the next",
		Long: "Carryover reads what AI coding agents write to disk, keeps it in one local ledger,\n" +
			"and gives the next session, of whichever agent, a handoff of at most 50 lines.",
		SilenceErrors: true, SilenceUsage: true,
		Args:              usageArgs(cobra.NoArgs),
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.locate() },
	}
	root.PersistentFlags().StringVar(&a.dir, "home", "", "Carryover's folder (default ~/.carryover, or CARRYOVER_HOME)")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object on stdout")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return coded(exitUsage, "usage", err, "see `%s --help`", cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		a.installCommand(), a.uninstallCommand(), a.statusCommand(), a.doctorCommand(),
		a.importCommand(), a.distillCommand(), a.handoffCommand(), a.showCommand(), a.searchCommand(),
		a.ledgerCommand(), a.daemonCommand(), a.versionCommand(),
	)
	return root
}

func (a *app) locate() error {
	if a.dir != "" {
		abs, err := filepath.Abs(a.dir)
		a.home = home.Dir(abs)
		return err
	}
	dir, err := home.Default()
	a.home = dir
	return err
}

// usageArgs makes a wrong number of arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return coded(exitUsage, "usage", err, "see `%s --help`", cmd.CommandPath())
		}
		return nil
	}
}

// warn shows what was left aside.
func (a *app) warn(err error) { a.note("carryover: warning: %s", err) }

// explain gives the errors that a person meets their hints.
func explain(err error) error {
	var known *failure
	if errors.As(err, &known) {
		return err
	}
	switch {
	case errors.Is(err, daemon.ErrNothing):
		return coded(exitNothing, "not_found", err, "run `carryover import` to read history that is on disk already")
	case errors.Is(err, daemon.ErrNoLedger):
		return coded(exitNothing, "not_found", err, "run `carryover import` or `carryover install` first")
	case errors.Is(err, daemon.ErrForeign):
		return hinted(err, "name the tool with --tool if you know that it is one")
	case errors.Is(err, client.ErrNotRunning):
		return coded(exitDaemon, "daemon_needed", err, "run `carryover daemon start`")
	case errors.Is(err, ledger.ErrLocked):
		return hinted(err, "wait for the other command, or see `carryover status`")
	case errors.Is(err, ledger.ErrTooNew):
		return hinted(err, "upgrade carryover")
	case errors.Is(err, ledger.ErrCorrupt):
		return hinted(err, "run `carryover daemon restart`: it sets the ledger aside and makes it anew from the transcripts")
	case errors.Is(err, context.Canceled):
		return hinted(fmt.Errorf("interrupted"), "what was done so far is kept")
	}
	return err
}
