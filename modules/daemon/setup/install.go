package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// Options of an install.
type Options struct {
	Home    home.Dir
	Tools   []string // names of specs
	Resume  string   // "" keeps the configured mode
	DryRun  bool
	HookBin string // the hook client to put into the home
	Now     time.Time
}

// Outcome is what happened with one tool.
type Outcome struct {
	Tool    string
	Name    string
	Version string
	Newer   bool // newer than the table: its last known names are used
	Path    string
	Events  []string
	Trust   string // what the user must still do, one sentence
	Change  wiring.Change
	Err     error
}

// Install wires the tools, puts the hook client in place and remembers the
// choices. A tool that cannot be wired does not keep the others from it.
func Install(ctx context.Context, table *toolspecs.Table, options Options) ([]Outcome, error) {
	if !options.DryRun {
		if err := options.Home.Make("bin", "spool", "handoffs"); err != nil {
			return nil, err
		}
		if err := placeHook(options.HookBin, options.Home.Hook()); err != nil {
			return nil, err
		}
	}
	record, _, err := wiring.ReadRecord(options.Home)
	if err != nil {
		return nil, err
	}
	if record.Installed.IsZero() {
		record.Installed = options.Now.UTC()
	}
	var outcomes []Outcome
	for _, tool := range options.Tools {
		spec, err := table.Lookup(tool)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, installTool(ctx, spec, options, &record))
	}
	if options.DryRun {
		return outcomes, nil
	}
	if err := record.Write(options.Home); err != nil {
		return outcomes, err
	}
	choices := map[string]any{"tools": options.Tools}
	if options.Resume != "" {
		choices["resume"] = options.Resume
	}
	return outcomes, config.Save(options.Home, choices)
}

func installTool(ctx context.Context, spec *toolspecs.Spec, options Options, record *wiring.Record) Outcome {
	found := Detect(ctx, spec)
	outcome := Outcome{Tool: spec.Tool, Name: spec.Name, Version: found.Version, Newer: found.Resolved.Newer, Err: found.Err}
	if found.Err != nil {
		return outcome
	}
	target, err := TargetOf(options.Home, spec, found.Resolved)
	if err != nil {
		outcome.Err = err
		return outcome
	}
	outcome.Path = target.Path
	for _, hook := range target.Hooks {
		outcome.Events = append(outcome.Events, hook.Event)
	}
	if found.Resolved.Trust.Needed {
		outcome.Trust = found.Resolved.Trust.How
	}
	if options.DryRun {
		outcome.Change, outcome.Err = wiring.Plan(target)
	} else {
		outcome.Change, outcome.Err = wiring.Apply(options.Home, record, target, found.Version)
	}
	return outcome
}

// ErrNotWired says that a tool is read and not wired.
var ErrNotWired = errors.New("it is read, but not wired")

// TargetOf is the settings file of a tool, with what is wired in it.
func TargetOf(dir home.Dir, spec *toolspecs.Spec, resolved toolspecs.Resolved) (wiring.Target, error) {
	if len(resolved.Settings) == 0 {
		return wiring.Target{}, fmt.Errorf("%w: it has no settings file for hooks", ErrNotWired)
	}
	settings := resolved.Settings[0]
	switch {
	case settings.Of != "":
		return wiring.Target{}, fmt.Errorf("%w by itself: the hooks of %s serve it too", ErrNotWired, settings.Of)
	case !wiring.Edits(settings.Format):
		return wiring.Target{}, fmt.Errorf("%w yet: its settings are %s", ErrNotWired, settings.Format)
	}
	path, ok := daemon.SettingsPath(settings)
	if !ok {
		return wiring.Target{}, fmt.Errorf("no place for the settings of %s is known on this system", spec.Name)
	}
	return wiring.Target{
		Tool: spec.Tool, Path: path, Settings: settings, Hooks: resolved.Wired(), Program: wiring.Program(dir),
	}, nil
}

// placeHook copies the hook client into the home in one step: an agent may be
// starting it at this moment.
func placeHook(from, to string) error {
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

// Uninstall takes our hooks out of every settings file that has them, and the
// hook client out of the home. The ledger stays.
func Uninstall(table *toolspecs.Table, dir home.Dir, dryRun bool) ([]Outcome, error) {
	record, installed, err := wiring.ReadRecord(dir)
	if err != nil || !installed {
		return nil, err
	}
	var outcomes []Outcome
	var failed error
	for _, file := range append([]wiring.FileRecord{}, record.Files...) {
		outcome := Outcome{Tool: file.Tool, Name: file.Tool, Path: file.Path, Version: file.Version}
		target, err := recordedTarget(table, dir, file)
		switch {
		case err != nil:
			outcome.Err = err
		case dryRun:
			outcome.Change, outcome.Err = wiring.PlanRemoval(record, target)
		default:
			outcome.Change, outcome.Err = wiring.Remove(&record, target)
		}
		if outcome.Err != nil {
			failed = errors.Join(failed, outcome.Err)
		}
		outcomes = append(outcomes, outcome)
	}
	if dryRun {
		return outcomes, nil
	}
	if failed != nil { // what could not be undone must stay on record
		return outcomes, record.Write(dir)
	}
	for _, path := range []string{dir.Hook(), dir.Installed()} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return outcomes, err
		}
	}
	_ = os.Remove(filepath.Dir(dir.Hook()))
	_ = os.Remove(dir.Path("backups"))
	return outcomes, config.Save(dir, map[string]any{"tools": []string{}})
}

func recordedTarget(table *toolspecs.Table, dir home.Dir, file wiring.FileRecord) (wiring.Target, error) {
	spec, err := table.Lookup(file.Tool)
	if err != nil {
		return wiring.Target{}, err
	}
	resolved, err := spec.Resolve(file.Version)
	if err != nil || len(resolved.Settings) == 0 {
		return wiring.Target{}, errors.Join(fmt.Errorf("settings of %s %s are not in the table", file.Tool, file.Version), err)
	}
	return wiring.Target{Tool: file.Tool, Path: file.Path, Settings: resolved.Settings[0], Hooks: resolved.Wired(), Program: wiring.Program(dir)}, nil
}
