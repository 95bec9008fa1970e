package main

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// installFlags are those of install and refresh.
type installFlags struct {
	tools     []string
	resume    string
	yes       bool
	noService bool
	noDaemon  bool
	dryRun    bool
	commands  bool
}

func (f *installFlags) add(cmd *cobra.Command, tools string) {
	cmd.Flags().StringSliceVar(&f.tools, "tools", nil, "do not ask: connect these `TOOLS` (comma-separated)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "`MODE` in which new sessions resume ("+strings.Join(config.OneOf("resume"), ", ")+")")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask: connect "+tools)
	cmd.Flags().BoolVar(&f.noService, "no-service", false, "do not start the daemon at login")
	cmd.Flags().BoolVar(&f.noDaemon, "no-daemon", false, "do not start the daemon now")
	cmd.Flags().BoolVar(&f.commands, "commands", false, "add the command /ledger and four skills to Claude Code")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the changes as a diff without applying them")
}

func (f *installFlags) check() error {
	return oneOf("resume", f.resume, "", "ask", "brief", "silent")
}

func newInstallCommand(a *app) *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Connect the installed agents and start the daemon",
		Example: "  carryover install --dry-run\n" +
			"  carryover install --tools claude-code,codex",
		Long: "Ask which agents to connect, add hooks to their user settings, and start the daemon.\n" +
			"Nothing else in those files changes. `carryover uninstall` restores them byte for byte.",
		Args: takesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error { return install(cmd.Context(), a, flags) },
	}
	flags.add(cmd, "the agents found")
	return cmd
}

func install(ctx context.Context, a *app, flags installFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	selected, err := selectTools(ctx, a, flags)
	if err != nil {
		return err
	}
	options, err := setupOptions(a, selected, flags)
	if err != nil {
		return err
	}
	outcomes, err := setup.Install(ctx, options)
	if err != nil {
		return err
	}
	return conclude(ctx, a, outcomes, flags)
}

func setupOptions(a *app, selected []setup.Detection, flags installFlags) (setup.Options, error) {
	hookBin, err := sibling("carryover-hook")
	return setup.Options{
		Home: a.home, Tools: selected, Resume: flags.resume, DryRun: flags.dryRun, HookBin: hookBin, Now: time.Now(),
		Commands: flags.commands, Program: ownProgram(),
	}, err
}

// ownProgram is how an agent's shell runs this program: by its name where that
// is found, else by its path.
func ownProgram() string {
	if _, err := exec.LookPath("carryover"); err == nil {
		return "carryover"
	}
	if self, err := os.Executable(); err == nil {
		return self
	}
	return "carryover"
}

// conclude reports what was done, starts the daemon where a tool calls it, and
// ends with the code for it.
func conclude(ctx context.Context, a *app, outcomes []setup.Outcome, flags installFlags) error {
	report := installReport{Schema: schema, DryRun: flags.dryRun, Tools: reportOf(a, outcomes, flags.dryRun)}
	if !a.json {
		printOutcomes(a, outcomes, flags.dryRun)
	}
	if serves(outcomes) && !flags.dryRun && !flags.noDaemon {
		if err := startDaemon(ctx, a, &report, flags.noService); err != nil {
			return err
		}
	}
	if a.json {
		if err := a.object(report); err != nil {
			return err
		}
	}
	if flags.dryRun {
		a.note("nothing was changed; without --dry-run, %s is installed too and the daemon started", a.home.Hook())
	}
	return failures(a, outcomes)
}

// failures ends with the tools that could not be wired, if there are any; why
// stands in the report.
func failures(a *app, outcomes []setup.Outcome) error {
	var failed []string
	for _, outcome := range outcomes {
		if outcome.Failed() {
			failed = append(failed, outcome.Name)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	if !a.json {
		a.note("carryover: error: not connected: %s", strings.Join(failed, ", "))
		a.note("carryover: hint: follow the hints above, then run `carryover refresh`")
	}
	return ended(exitFailed)
}

// serves says whether any tool is read or calls us now; without one nothing is
// to be served.
func serves(outcomes []setup.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o setup.Outcome) bool { return !o.Failed() && !o.Removed })
}

// startDaemon ends an install: the daemon runs and answers, and starts at login
// where a service manager can do that.
func startDaemon(ctx context.Context, a *app, report *installReport, noService bool) error {
	program, err := sibling("carryoverd")
	if err != nil {
		return err
	}
	var health view.Health
	manager := ""
	if noService {
		health, err = setup.Start(ctx, a.home, program)
	} else {
		health, manager, err = setup.StartAtLogin(ctx, a.home, program)
	}
	if err != nil {
		return notStarted(a, err)
	}
	report.Daemon, report.Service = health.Status, manager
	switch {
	case a.json:
	case manager != "":
		a.print("%s daemon %s (pid %d), starts at login with %s", terminalMarks().done, health.Status, health.PID, manager)
	default:
		a.print("%s daemon %s (pid %d), does not start at login: run `carryover daemon start` then", terminalMarks().done, health.Status, health.PID)
	}
	return nil
}
