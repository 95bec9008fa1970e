package setup

import (
	"errors"
	"fmt"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// ErrNotWired says that a tool is read and not wired.
var ErrNotWired = errors.New("its transcripts are read, but it has no hooks")

// TargetOf is the settings file of a tool, with what is wired in it.
func TargetOf(dir home.Dir, spec *toolspecs.Spec, resolved toolspecs.Resolved) (wiring.Target, error) {
	if len(resolved.Settings) == 0 {
		return wiring.Target{}, fmt.Errorf("%w: it has no settings file for hooks", ErrNotWired)
	}
	settings := resolved.Settings[0]
	if settings.Of != "" {
		return sharedTarget(dir, settings)
	}
	if !wiring.Edits(settings.Format) {
		return wiring.Target{}, fmt.Errorf("%w yet: its settings are %s", ErrNotWired, settings.Format)
	}
	path, ok := wiring.SettingsPath(settings)
	if !ok {
		return wiring.Target{}, fmt.Errorf("the settings of %s are in an unknown place on this system", spec.Name)
	}
	choices, _ := config.Load(dir) // of a broken file the defaults; doctor names it
	return wiring.Target{
		Tool: spec.Tool, Path: path, Settings: settings, Hooks: resolved.WiredFor(choices.ContextUsage.MidTurn), Program: wiring.Program(dir),
	}, nil
}

// sharedTarget is the settings file of the tool whose entries serve another one
// too, as its newest known version has it.
func sharedTarget(dir home.Dir, settings toolspecs.Settings) (wiring.Target, error) {
	lender := settings.SharedFrom()
	if lender == nil {
		return wiring.Target{}, fmt.Errorf("%w: it shares those of %s, which is not in the table", ErrNotWired, settings.Of)
	}
	resolved, err := lender.Resolve(lender.Newest())
	if err != nil {
		return wiring.Target{}, err
	}
	return TargetOf(dir, lender, resolved)
}

// recordedTarget is a settings file as it was wired, at the version of then.
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
