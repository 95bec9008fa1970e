package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

type installFlags struct {
	tools     []string
	resume    string
	yes       bool
	noService bool
	noDaemon  bool
	dryRun    bool
}

func (a *app) installCommand() *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Wire the agents on this machine and start the daemon",
		Long: "Adds Carryover's hooks to the settings of the chosen agents, at user level, and starts the daemon.\n" +
			"Everything else in those files stays as it is; `carryover uninstall` gives back the bytes that were there.",
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.install(cmd.Context(), flags) },
	}
	cmd.Flags().StringSliceVar(&flags.tools, "tools", nil, "wire these `TOOLS`, with commas between them (default: those that are found)")
	cmd.Flags().StringVar(&flags.resume, "resume", "", "`MODE` in which a new session takes the handoff up: ask, brief or silent")
	cmd.Flags().BoolVarP(&flags.yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&flags.noService, "no-service", false, "do not register the daemon to start at login")
	cmd.Flags().BoolVar(&flags.noDaemon, "no-daemon", false, "do not start the daemon now")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "print a unified diff of every file and change nothing")
	return cmd
}

func (a *app) install(ctx context.Context, flags installFlags) error {
	if err := oneOf("resume", flags.resume, "", "ask", "brief", "silent"); err != nil {
		return err
	}
	table := daemon.Offline(a.home, a.warn).Table
	selected, err := a.selectTools(ctx, table, flags)
	if err != nil {
		return err
	}
	hookBin, err := sibling("carryover-hook")
	if err != nil {
		return err
	}
	outcomes, err := setup.Install(ctx, table, setup.Options{
		Home: a.home, Tools: selected, Resume: flags.resume, DryRun: flags.dryRun, HookBin: hookBin, Now: time.Now(),
	})
	if err != nil {
		return err
	}
	report := installReport{Schema: schema, DryRun: flags.dryRun, Tools: a.reported(outcomes, flags.dryRun)}
	if !a.json {
		a.printOutcomes(outcomes, flags.dryRun)
	}
	for _, o := range outcomes {
		if o.Err != nil {
			a.note("carryover: error: %s", o.Err)
			a.note("carryover: hint: %s", a.hintFor(o))
		}
	}
	if wired(outcomes) && !flags.dryRun && !flags.noDaemon {
		if err := a.startDaemon(ctx, &report, flags.noService); err != nil {
			return err
		}
	}
	if a.json {
		if err := a.object(report); err != nil {
			return err
		}
	}
	if flags.dryRun {
		a.note("nothing was changed; without --dry-run %s is put in place too, and the daemon started", a.home.Hook())
	}
	for _, outcome := range outcomes {
		if outcome.Err != nil {
			return ended(exitFailed)
		}
	}
	return nil
}

// wired says whether any tool calls us now; without one nothing is to be
// served.
func wired(outcomes []setup.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o setup.Outcome) bool { return o.Err == nil })
}

// selectTools takes the named tools, or asks about those that are found.
func (a *app) selectTools(ctx context.Context, table *toolspecs.Table, flags installFlags) ([]string, error) {
	if len(flags.tools) > 0 {
		for _, tool := range flags.tools {
			if err := a.knownTool("tools", tool); err != nil {
				return nil, err
			}
		}
		slices.Sort(flags.tools)
		return slices.Compact(flags.tools), nil
	}
	var found []string
	for _, spec := range table.All() {
		d := setup.Detect(ctx, spec)
		switch {
		case d.Err == nil:
			found = append(found, spec.Tool)
			a.note("found      %s %s", spec.Name, d.Version)
		case errors.Is(d.Err, setup.ErrNotFound):
			a.note("not found  %s", spec.Name)
		default:
			a.note("left out   %s: %s", spec.Name, d.Err)
		}
	}
	if len(found) == 0 {
		return nil, hinted(errors.New("none of the known agents is installed here"), "install one, then run `carryover install` again")
	}
	if flags.yes || flags.dryRun {
		return found, nil
	}
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil, coded(exitUsage, "usage", errors.New("nobody is there to be asked"), "run `carryover install --yes`, or name the tools with --tools")
	}
	return found, a.confirm("wire " + strings.Join(found, ", ") + "? [Y/n] ")
}

func (a *app) confirm(question string) error {
	_, _ = fmt.Fprint(a.err, question)
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "", "y", "yes":
		return nil
	}
	return hinted(errors.New("nothing was changed"), "choose with --tools")
}

// startDaemon ends an install: the daemon runs and answers, and starts at login
// where a service manager can do that.
func (a *app) startDaemon(ctx context.Context, report *installReport, noService bool) error {
	program, err := sibling("carryoverd")
	if err != nil {
		return err
	}
	var health api.Health
	manager := ""
	if noService {
		health, err = setup.Start(ctx, a.home, program)
	} else {
		health, manager, err = setup.StartAtLogin(ctx, a.home, program)
	}
	if err != nil {
		return a.notStarted(err)
	}
	report.Daemon, report.Service = health.Status, manager
	switch {
	case a.json:
	case manager != "":
		a.print("daemon     %s (pid %d), started at login by %s", health.Status, health.PID, manager)
	default:
		a.print("daemon     %s (pid %d); it is not registered to start at login, `carryover daemon start` starts it", health.Status, health.PID)
	}
	return nil
}
