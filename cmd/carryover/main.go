// Command carryover is the user's and the scripts' way to everything.
package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/api/client"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/version"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
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
	a := &app{output: newOutput(os.Stdout, os.Stderr, asked)}
	root := a.root()
	root.SetOut(os.Stdout)
	root.SetErr(os.Stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.failed(a.explain(err))
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
	root := a.group(&cobra.Command{
		Use:   "carryover",
		Short: "Carry the work of one agent session into the next",
		Long: "Carryover reads the transcripts of AI coding agents, keeps them in one local ledger, and\n" +
			"gives the next session, of the same agent or another, a handoff of at most 50 lines.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.locate() },
	})
	root.PersistentFlags().StringVar(&a.dir, "home", "", "use `DIR` instead of ~/.carryover (also: CARRYOVER_HOME)")
	root.PersistentFlags().BoolVar(&a.json, "json", a.json, "print one JSON object to stdout")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(cmd, "%w", err)
	})
	root.Version = version.Version
	root.SetVersionTemplate(versionLine() + "\n")
	for _, g := range a.commandGroups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range g.commands {
			cmd.GroupID = g.title
			leadWithSummary(cmd)
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommand(a.helpCommand(root))
	root.SetHelpCommandGroupID(groupMaintain)
	root.SetCompletionCommandGroupID(groupSetUp)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Short = "Print a completion script for a shell"
		a.group(completion)
		for _, shell := range completion.Commands() {
			shell.Args = takesNothing
		}
	}
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

// warn shows what was left aside.
func (a *app) warn(err error) { a.note("carryover: warning: %s", err) }

// explain gives the errors that a person meets their hints.
func (a *app) explain(err error) error {
	var known *failure
	if errors.As(err, &known) {
		return err
	}
	var file *fs.PathError
	var answered *view.Error
	switch {
	case errors.Is(err, view.ErrNotFound):
		return coded(exitNothing, "not_found", err, "run `carryover import` to read existing transcripts")
	case errors.Is(err, view.ErrNoLedger):
		return coded(exitNothing, "not_found", err, "run `carryover import` to read existing transcripts, or `carryover install` to capture new sessions")
	case errors.Is(err, client.ErrNotRunning):
		return coded(exitDaemon, "daemon_needed", err, "run `carryover daemon start`")
	case errors.Is(err, client.ErrStuck):
		return coded(exitDaemon, "daemon_stuck", err, "run `carryover daemon restart`; `carryover doctor` says what is wrong")
	case errors.Is(err, ledger.ErrLocked):
		return hinted(err, "wait for the other command, or run `carryover status`")
	case errors.Is(err, ledger.ErrTooNew):
		return hinted(err, "upgrade carryover")
	case errors.Is(err, ledger.ErrCorrupt):
		return hinted(err, "run `carryover repair` to rebuild it from the transcripts")
	case errors.As(err, &answered) && answered.Hint != "":
		return coded(exitFailed, string(answered.Code), err, "%s", answered.Hint)
	case errors.Is(err, context.Canceled):
		return hinted(errors.New("interrupted"), "run the command again to continue; finished work is kept")
	case errors.As(err, &file) && strings.HasPrefix(string(a.home), file.Path), errors.As(err, &file) && strings.HasPrefix(file.Path, string(a.home)):
		return hinted(err, "make the folder writable, or name another one with --home or CARRYOVER_HOME")
	}
	return err
}
