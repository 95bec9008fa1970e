package installation

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// uninstallFlags are those of uninstall.
type uninstallFlags struct {
	dryRun, purge, yes bool
}

// NewUninstallCommand makes `carryover uninstall`.
func NewUninstallCommand(a *cli.App) *cobra.Command {
	var flags uninstallFlags
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Disconnect the agents and stop the daemon",
		Long: "Restore the settings files of the agents, and remove what Carryover wrote into projects: its folder,\n" +
			"the block in AGENTS.md and the lines in .gitignore. The ledger stays; --purge deletes it too.",
		Example: "  carryover uninstall --dry-run\n" +
			"  carryover uninstall --purge --yes",
		Args: cli.TakesNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.purge && !flags.yes && !flags.dryRun {
				return cli.Usage(cmd, "--purge deletes everything that was captured and cannot be undone: --yes is missing")
			}
			return uninstall(cmd.Context(), a, flags)
		},
	}
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "print the changes as a diff without applying them")
	cmd.Flags().BoolVar(&flags.purge, "purge", false, "delete the ledger and the settings of Carryover too (needs --yes)")
	cmd.Flags().BoolVar(&flags.yes, "yes", false, "confirm --purge")
	return cmd
}

// uninstallReport is the JSON of uninstall.
type uninstallReport struct {
	installReport
	Projects []leftProject `json:"projects"`
	Purged   bool          `json:"purged"`
}

type leftProject struct {
	Path  string   `json:"path"`
	Files []string `json:"files"`
	Error string   `json:"error,omitempty"`
}

func uninstall(ctx context.Context, a *cli.App, flags uninstallFlags) error {
	worktrees, err := worktrees(ctx, a)
	if err != nil {
		return err
	}
	if !flags.dryRun {
		if err := setup.NoLogin(ctx, a.Home); err != nil {
			return err
		}
		if _, err := stopDaemon(ctx, a); err != nil {
			return err
		}
	}
	outcomes, err := setup.Uninstall(a.Table(), a.Home, flags.dryRun)
	if err != nil {
		return err
	}
	projects := setup.LeaveProjects(a.Table(), worktrees, flags.dryRun)
	failed := printRemoved(a, outcomes, flags.dryRun)
	if err := disconnectEditors(a, flags.dryRun); err != nil {
		a.Note("carryover: error: %s", err)
		failed = true
	}
	failed = printLeft(a, projects, flags.dryRun) || failed
	purged := flags.purge && !flags.dryRun && !failed
	if purged {
		if err := setup.Purge(a.Home); err != nil {
			return err
		}
	}
	if a.JSON {
		report := uninstallReport{installReport{Schema: cli.Schema, DryRun: flags.dryRun, Tools: reportOf(a, outcomes, flags.dryRun)}, leftProjects(projects), purged}
		if err := a.Object(report); err != nil {
			return err
		}
	}
	if failed {
		return cli.Ended(cli.ExitFailed)
	}
	switch {
	case a.JSON:
	case !flags.dryRun:
		sayRest(a, len(outcomes), purged)
	case len(outcomes)+len(projects) == 0:
		a.Print("nothing to take back: no agent is connected")
	}
	return nil
}

// worktrees are all folders that a handoff may have been written into.
func worktrees(ctx context.Context, a *cli.App) ([]string, error) {
	if errors.Is(a.Captured(), view.ErrNoLedger) {
		return nil, nil
	}
	service, done, err := a.Reader()
	if err != nil {
		return nil, err
	}
	defer done()
	projects, err := view.All(func(page view.Page) (view.List[view.Project], error) { return service.ListProjects(ctx, page) })
	var list []string
	for _, project := range projects {
		if len(project.Files) > 0 {
			list = append(list, project.Worktrees...)
		}
	}
	return list, err
}

// printRemoved reports what was done to settings files, and whether some of it
// failed.
func printRemoved(a *cli.App, outcomes []setup.Outcome, dryRun bool) (failed bool) {
	for _, o := range outcomes {
		failed = failed || o.Err != nil
		switch {
		case o.Err != nil:
			a.Note("carryover: error: %s", o.Err)
			a.Note("carryover: hint: correct the file, then run `carryover uninstall` again")
		case a.JSON:
		case dryRun:
			printDiff(a, o.Tool, o.Change)
		default:
			printOutcome(a, o)
		}
	}
	return failed
}

// printLeft reports what was removed from projects, and whether some of it failed.
func printLeft(a *cli.App, projects []setup.ProjectOutcome, dryRun bool) (failed bool) {
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	for _, p := range projects {
		if p.Err != nil {
			failed = true
			a.Note("carryover: error: %s: %s", p.Path, p.Err)
		}
		if !a.JSON && len(p.Files) > 0 {
			a.Print("%s from %s: %s", verb, cli.HomePath(p.Path), strings.Join(p.Files, ", "))
		}
	}
	return failed
}

func leftProjects(projects []setup.ProjectOutcome) []leftProject {
	list := []leftProject{}
	for _, p := range projects {
		left := leftProject{Path: p.Path, Files: append([]string{}, p.Files...)}
		if p.Err != nil {
			left.Error = p.Err.Error()
		}
		list = append(list, left)
	}
	return list
}

// sayRest says what is still there.
func sayRest(a *cli.App, agents int, purged bool) {
	if agents == 0 {
		a.Print("no agent was connected")
	}
	if purged {
		a.Print("%s is deleted", cli.HomePath(string(a.Home)))
		return
	}
	a.Print("the ledger stays in %s; `carryover uninstall --purge --yes` deletes it", cli.HomePath(string(a.Home)))
}
