package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
)

// Options of an install or a refresh.
type Options struct {
	Home  home.Dir
	Tools []Detection // those that were chosen, also when they were not found
	// Outdated are here and too old to be connected: a block in a project's context
	// file points them to the handoff.
	Outdated []Detection
	Resume   string // "" keeps the configured mode
	DryRun   bool
	HookBin  string // the hook client to put into the home

	Commands bool   // add our commands where a tool takes some
	Program  string // how those run carryover
	Now      time.Time
}

// Outcome is what happened with one tool.
type Outcome struct {
	Tool    string
	Name    string
	Version string
	Newer   bool   // newer than the table: its last known names are used
	Newest  string // the newest version of the table
	Path    string
	Events  []string
	Entry   string   // "read: .carryover/handoff.md", where a word in a list does what hooks do elsewhere
	Trust   string   // what the user must still do, one sentence
	Removed bool     // Carryover's entries were removed
	Off     []string // why the hooks will not run, and where that is set

	Commands string // the folder of our commands, where there is one
	Change   wiring.Change
	Err      error
}

// Failed says whether a tool could not be wired that could have been. One that
// is read, and never wired, is none.
func (o Outcome) Failed() bool { return o.Err != nil && !errors.Is(o.Err, ErrNotWired) }

// Install wires the chosen tools, puts the hook client in place and remembers
// the choices, beside those of before. A tool that cannot be wired does not
// keep the others from it; tools that were not chosen are not touched.
func Install(ctx context.Context, options Options) ([]Outcome, error) {
	record, err := prepare(options)
	if err != nil {
		return nil, err
	}
	outcomes := wireAll(ctx, options, &record)
	if options.DryRun {
		return outcomes, nil
	}
	if err := record.Write(options.Home); err != nil {
		return outcomes, err
	}
	chosen := options.names()
	for _, file := range record.Files {
		chosen = append(chosen, file.Serves()...)
	}
	return outcomes, options.remember(chosen)
}

// prepare makes the home, places the hook client and reads what was installed.
func prepare(options Options) (wiring.Record, error) {
	if !options.DryRun {
		if err := options.Home.Make("bin", "spool", "handoffs"); err != nil {
			return wiring.Record{}, err
		}
		if err := copyHook(options.HookBin, options.Home.Hook()); err != nil {
			return wiring.Record{}, err
		}
	}
	record, _, err := wiring.ReadRecord(options.Home)
	if err == nil && record.Installed.IsZero() {
		record.Installed = options.Now.UTC()
	}
	return record, err
}

func (o Options) names() []string {
	var names []string
	for _, found := range o.Tools {
		names = append(names, found.Spec.Tool)
	}
	return names
}

// remember writes the choices to config.toml.
func (o Options) remember(tools []string) error {
	tools = append([]string{}, tools...)
	slices.Sort(tools)
	choices := map[string]any{"tools": slices.Compact(tools)}
	if o.Resume != "" {
		choices["resume"] = o.Resume
	}
	return config.Save(o.Home, choices)
}

func wireAll(ctx context.Context, options Options, record *wiring.Record) []Outcome {
	var outcomes []Outcome
	for _, found := range options.Outdated {
		record.Reach(found.Spec.Tool, false)
	}
	for _, found := range options.Tools {
		if ctx.Err() != nil {
			break
		}
		outcome := wire(found, options, record)
		if found.Version != "" {
			record.Reach(found.Spec.Tool, outcome.Err == nil)
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes
}

func wire(found Detection, options Options, record *wiring.Record) Outcome {
	outcome := Outcome{
		Tool: found.Spec.Tool, Name: found.Spec.Name, Version: found.Version,
		Newer: found.Resolved.Newer, Newest: found.Resolved.Newest, Err: found.Err,
	}
	if found.Err != nil {
		return outcome
	}
	target, err := TargetOf(options.Home, found.Spec, found.Resolved)
	if err != nil {
		outcome.Err = err
		return outcome
	}
	outcome.Path = target.Path
	for _, hook := range target.Hooks {
		outcome.Events = append(outcome.Events, hook.Event)
	}
	if target.Settings.Entry != "" {
		outcome.Entry = target.Settings.Key + ": " + target.Settings.Entry
	}
	outcome.Off = wiring.HooksOff(found.Spec)
	if found.Resolved.Trust.Needed {
		outcome.Trust = found.Resolved.Trust.How
	}
	if options.DryRun {
		outcome.Change, outcome.Err = wiring.Plan(target)
	} else {
		outcome.Change, outcome.Err = wiring.Apply(options.Home, record, target, wiredVersion(found, target, record))
		record.Since(target.Path, options.Now)
		record.Serve(target.Path, found.Spec.Tool)
	}
	addCommands(&outcome, found.Spec.Commands, options, record)
	return outcome
}

// addCommands puts our commands beside the settings, where that was asked for
// now or before.
func addCommands(outcome *Outcome, below string, options Options, record *wiring.Record) {
	_, had := record.CommandsOf(outcome.Tool)
	if below == "" || outcome.Err != nil || !options.Commands && !had {
		return
	}
	outcome.Commands = filepath.Join(filepath.Dir(outcome.Path), filepath.FromSlash(below))
	if !options.DryRun {
		outcome.Err = wiring.AddCommands(record, outcome.Tool, outcome.Commands, options.Program)
	}
}

// wiredVersion is the version that a file is recorded under: that of the tool
// whose entries are in it.
func wiredVersion(found Detection, target wiring.Target, record *wiring.Record) string {
	if target.Tool == found.Spec.Tool {
		return found.Version
	}
	if file, ok := record.File(target.Path); ok && file.Tool == target.Tool {
		return file.Version
	}
	return found.Resolved.Settings[0].SharedFrom().Newest()
}

// copyHook copies the hook client into the home in one step: an agent may be
// starting it at this moment.
func copyHook(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read hook client: %w", err)
	}
	if old, err := os.ReadFile(to); err == nil && string(old) == string(data) {
		return nil
	}
	if err := maybe.WriteFile(to, data, 0o700); err != nil {
		return fmt.Errorf("place hook client: %w", err)
	}
	return nil
}
