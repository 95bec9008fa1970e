package installation

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
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
	noHooks   bool
	editors   []string
	noHistory bool   // refresh: it was read before
	again     string // the command without --dry-run
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
	for _, name := range f.editors {
		if err := cli.OneOf("editors", name, editorNames()...); err != nil {
			return err
		}
	}
	return cli.OneOf("resume", f.resume, "", "ask", "brief", "silent")
}

// NewInstallCommand makes `carryover install`.
func NewInstallCommand(a *cli.App) *cobra.Command {
	var flags installFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Connect the installed agents and start the daemon",
		Example: "  carryover install --dry-run\n" +
			"  carryover install --tools claude-code,codex",
		Long: "Ask which agents to connect, add hooks to their user settings, and start the daemon.\n" +
			"Nothing else in those files changes. `carryover uninstall` restores them byte for byte.",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags.again = againWithout(cmd, "dry-run")
			return install(cmd.Context(), a, flags)
		},
	}
	flags.add(cmd, "the agents found")
	cmd.Flags().StringSliceVar(&flags.editors, "editors", nil, "let these `EDITORS` start agents with the handoff ("+strings.Join(editorNames(), ", ")+")")
	cmd.Flags().BoolVar(&flags.noHooks, "no-hooks", false, "connect no agent: a plugin of the agent calls Carryover")
	return cmd
}

func install(ctx context.Context, a *cli.App, flags installFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	var selected, old []setup.Detection
	if !flags.noHooks {
		var err error
		if selected, old, err = selectTools(ctx, a, flags); err != nil {
			return cancelled(a, err, "install")
		}
	}
	options, err := setupOptions(a, selected, flags)
	if err != nil {
		return err
	}
	options.Outdated = old
	outcomes, err := setup.Install(ctx, options)
	if err != nil {
		return err
	}
	return conclude(ctx, a, outcomes, flags)
}

func setupOptions(a *cli.App, selected []setup.Detection, flags installFlags) (setup.Options, error) {
	hookBin, err := cli.Sibling("carryover-hook")
	return setup.Options{
		Home: a.Home, Tools: selected, Resume: flags.resume, DryRun: flags.dryRun, HookBin: hookBin, Now: time.Now(),
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
func conclude(ctx context.Context, a *cli.App, outcomes []setup.Outcome, flags installFlags) error {
	report := installReport{Schema: cli.Schema, DryRun: flags.dryRun, Tools: reportOf(a, outcomes, flags.dryRun)}
	if !a.JSON {
		printOutcomes(a, outcomes, flags.dryRun)
		if serves(outcomes) && !flags.dryRun {
			a.Print("%s", projectFiles(a, outcomes))
		}
	}
	if (serves(outcomes) || flags.noHooks) && !flags.dryRun && !flags.noDaemon {
		if err := startDaemon(ctx, a, &report, flags.noService); err != nil {
			return err
		}
		if !a.JSON && !flags.noHistory {
			readHistory(ctx, a)
		}
	}
	if err := connectEditors(a, flags); err != nil {
		return err
	}
	if a.JSON {
		if err := a.Object(report); err != nil {
			return err
		}
	} else if len(flags.editors) == 0 {
		offerEditors(a)
	}
	if flags.dryRun {
		noteDryRun(a, outcomes, flags)
	}
	return failures(a, outcomes)
}

// failures ends with the tools that could not be wired, if there are any; why
// stands in the report.
func failures(a *cli.App, outcomes []setup.Outcome) error {
	var failed []string
	for _, outcome := range outcomes {
		if outcome.Failed() {
			failed = append(failed, outcome.Name)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	if !a.JSON {
		a.Note("carryover: error: not connected: %s", strings.Join(failed, ", "))
		a.Note("carryover: hint: follow the hints above, then run `carryover refresh`")
	}
	return cli.Ended(cli.ExitFailed)
}

// serves says whether any tool is read or calls us now; without one nothing is
// to be served.
func serves(outcomes []setup.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o setup.Outcome) bool { return !o.Failed() && !o.Removed })
}

// startDaemon ends an install: the daemon runs and answers, and starts at login
// where a service manager can do that.
func startDaemon(ctx context.Context, a *cli.App, report *installReport, noService bool) error {
	program, err := cli.Sibling("carryoverd")
	if err != nil {
		return err
	}
	var health view.Health
	manager := ""
	if noService {
		health, err = setup.Start(ctx, a.Home, program)
	} else {
		health, manager, err = setup.StartAtLogin(ctx, a.Home, program)
	}
	if err != nil {
		return notStarted(a, err)
	}
	report.Daemon, report.Service = health.Status, manager
	switch {
	case a.JSON:
	case manager != "":
		a.Print("%s daemon %s (pid %d), starts at login with %s", cli.TerminalMarks().Done, health.Status, health.PID, manager)
	default:
		a.Print("%s daemon %s (pid %d), does not start at login: run `carryover daemon start` then", cli.TerminalMarks().Done, health.Status, health.PID)
	}
	return nil
}
