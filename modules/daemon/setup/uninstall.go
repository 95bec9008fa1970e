package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

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
		outcome := unwire(table, dir, &record, file, dryRun)
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

// unwire takes our entries out of one file.
func unwire(table *toolspecs.Table, dir home.Dir, record *wiring.Record, file wiring.FileRecord, dryRun bool) Outcome {
	outcome := Outcome{Tool: file.Tool, Name: file.Tool, Path: file.Path, Version: file.Version, Removed: true}
	if spec, err := table.Lookup(file.Tool); err == nil {
		outcome.Name = spec.Name
	}
	target, err := recordedTarget(table, dir, file)
	switch {
	case err != nil:
		outcome.Err = err
	case dryRun:
		outcome.Change, outcome.Err = wiring.PlanRemoval(*record, target)
	default:
		outcome.Change, outcome.Err = wiring.Remove(record, target)
		outcome.Err = errors.Join(outcome.Err, wiring.RemoveCommands(record, file.Tool))
	}
	return outcome
}
