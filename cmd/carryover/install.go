package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
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
		if err := a.startDaemon(ctx, &report); err != nil {
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

// sibling finds one of our other programs beside this one, else on the PATH.
func sibling(name string) (string, error) {
	self, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		path := filepath.Join(filepath.Dir(self), name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", hinted(fmt.Errorf("%s is not beside carryover", name), "reinstall carryover; in the source tree run `make build`")
}

func (a *app) startDaemon(ctx context.Context, report *installReport) error {
	program, err := sibling("carryoverd")
	if err != nil {
		return err
	}
	health, err := setup.Start(ctx, a.home, program)
	if err != nil {
		return a.notStarted(err)
	}
	report.Daemon = health.Status
	if !a.json {
		a.print("daemon     %s (pid %d); it is not registered to start at login, `carryover daemon start` starts it", health.Status, health.PID)
	}
	return nil
}

// installReport is the JSON of install and uninstall.
type installReport struct {
	Schema int             `json:"schema"`
	DryRun bool            `json:"dry_run"`
	Tools  []installedTool `json:"tools"`
	Daemon string          `json:"daemon,omitempty"`
}

type installedTool struct {
	Tool    string   `json:"tool"`
	Version string   `json:"version,omitempty"`
	Newer   bool     `json:"newer,omitempty"`
	Path    string   `json:"path,omitempty"`
	Events  []string `json:"events"`
	Changed bool     `json:"changed"`
	Note    string   `json:"note,omitempty"`
	Diff    string   `json:"diff,omitempty"` // of a dry run
	Error   string   `json:"error,omitempty"`
	Hint    string   `json:"hint,omitempty"`
}

func (a *app) reported(outcomes []setup.Outcome, dryRun bool) []installedTool {
	tools := []installedTool{}
	for _, o := range outcomes {
		tool := installedTool{
			Tool: o.Tool, Version: o.Version, Newer: o.Newer, Path: o.Path, Events: append([]string{}, o.Events...),
			Changed: o.Change.Changed(), Note: strings.TrimSpace(o.Trust + " " + o.Change.Note),
		}
		if dryRun {
			tool.Diff = diff(o.Change)
		}
		if o.Err != nil {
			tool.Error, tool.Hint = o.Err.Error(), a.hintFor(o)
		}
		tools = append(tools, tool)
	}
	return tools
}

func (a *app) printOutcomes(outcomes []setup.Outcome, dryRun bool) {
	for _, o := range outcomes {
		if o.Err != nil {
			a.print("%s", strings.TrimSpace("failed     "+o.Name+" "+o.Version))
			continue
		}
		if dryRun {
			a.printDiff(o.Name, o.Change)
			continue
		}
		state := "wired"
		if !o.Change.Changed() {
			state = "unchanged"
		}
		a.print("%-10s %s %s", state, o.Name, o.Version)
		a.print("           %s", o.Path)
		a.print("           %s", strings.Join(o.Events, " "))
		if o.Newer {
			a.note("carryover: warning: %s %s is newer than the tool table; its last known names are used", o.Name, o.Version)
		}
		if o.Trust != "" {
			a.print("           %s", o.Trust)
		}
	}
}

func (a *app) hintFor(o setup.Outcome) string {
	switch {
	case errors.Is(o.Err, setup.ErrNotFound):
		hint := "run `carryover install --tools " + o.Tool + "` after installing it"
		if spec, err := a.table().Lookup(o.Tool); err == nil && spec.Detect.Install != "" {
			hint += ": `" + spec.Detect.Install + "`"
		}
		return hint
	case errors.Is(o.Err, wiring.ErrRefused):
		return "nothing was changed; mend that file, then run `carryover install --tools " + o.Tool + "` again"
	}
	return "nothing was changed for this tool; see `carryover doctor`"
}

func (a *app) printDiff(name string, change wiring.Change) {
	if !change.Changed() {
		a.note("unchanged  %s: %s", name, change.Path)
		return
	}
	_, _ = fmt.Fprint(a.out, diff(change))
}

// diff is what would change in a file, as patch reads it.
func diff(change wiring.Change) string {
	before, after := change.Path, change.Path
	if change.Before == nil {
		before = os.DevNull
	}
	if change.After == nil {
		after = os.DevNull
	}
	return udiff.Unified(before, after, string(change.Before), string(change.After))
}

func (a *app) uninstallCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take Carryover out of the agents' settings and stop the daemon",
		Args:  takesNothing,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.uninstall(cmd.Context(), dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print a unified diff of every file and change nothing")
	return cmd
}

func (a *app) uninstall(ctx context.Context, dryRun bool) error {
	if !dryRun {
		if _, err := a.stopDaemon(ctx); err != nil {
			return err
		}
	}
	outcomes, err := setup.Uninstall(daemon.Offline(a.home, a.warn).Table, a.home, dryRun)
	if err != nil {
		return err
	}
	if a.json {
		if err := a.object(installReport{Schema: schema, DryRun: dryRun, Tools: a.reported(outcomes, dryRun)}); err != nil {
			return err
		}
	}
	failed := false
	for _, o := range outcomes {
		failed = failed || o.Err != nil
		switch {
		case o.Err != nil:
			a.note("carryover: error: %s", o.Err)
			a.note("carryover: hint: mend that file, then run `carryover uninstall` again")
		case a.json:
		case dryRun:
			a.printDiff(o.Tool, o.Change)
		default:
			a.print("unwired    %s", o.Tool)
			a.print("           %s", o.Path)
			if o.Change.Note != "" {
				a.print("           %s", o.Change.Note)
			}
		}
	}
	if failed {
		return ended(exitFailed)
	}
	if !a.json && !dryRun {
		if len(outcomes) == 0 {
			a.print("nothing was wired")
		}
		a.print("the ledger stays in %s; delete that folder to forget everything", a.home)
	}
	return nil
}
