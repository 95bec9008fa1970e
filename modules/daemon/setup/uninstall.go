package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/publish"
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

// ProjectOutcome is what was removed from one project, or would be.
type ProjectOutcome struct {
	Path  string
	Files []string
	Err   error
}

// LeaveProjects removes what Carryover wrote into worktrees: its folder, the block
// in context files and the lines in .gitignore. Those that hold nothing are left
// out.
func LeaveProjects(table *toolspecs.Table, worktrees []string, dryRun bool) []ProjectOutcome {
	do := publish.Clean
	if dryRun {
		do = publish.Held
	}
	contextFiles := publish.ContextFiles(table)
	var outcomes []ProjectOutcome
	for _, worktree := range worktrees {
		if files, err := do(worktree, contextFiles); len(files) > 0 || err != nil {
			outcomes = append(outcomes, ProjectOutcome{Path: worktree, Files: files, Err: err})
		}
	}
	return outcomes
}

// ErrNotHome is that of a folder that is not deleted since it does not look like a
// home of Carryover.
var ErrNotHome = errors.New("the folder holds no ledger and no configuration of Carryover, so it is not deleted")

// Purge deletes the home with everything that was captured.
func Purge(dir home.Dir) error {
	user, _ := os.UserHomeDir()
	if same, err := filepath.EvalSymlinks(string(dir)); err != nil || same == user || same == "/" {
		return errors.Join(ErrNotHome, err)
	}
	for _, own := range []string{dir.Ledger(), dir.Config()} {
		if _, err := os.Lstat(own); err == nil {
			return os.RemoveAll(string(dir))
		}
	}
	return ErrNotHome
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
