package installation

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// editorNames are the values of --editors.
func editorNames() (names []string) {
	for _, editor := range wiring.Editors() {
		names = append(names, editor.Name)
	}
	return names
}

// connectEditors writes the settings of the editors that were asked for, so that they
// start agents behind `carryover acp`.
func connectEditors(a *cli.App, flags installFlags) error {
	specs, program := speakers(a), absoluteProgram()
	var errs []error
	for _, editor := range wiring.Editors() {
		if !slices.Contains(flags.editors, editor.Name) {
			continue
		}
		change, err := wiring.PlanEditor(editor, specs, program)
		if err == nil && !flags.dryRun {
			err = wiring.WriteEditor(a.Home, change)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		reportEditor(a, editor, change, flags.dryRun)
	}
	return errors.Join(errs...)
}

func reportEditor(a *cli.App, editor wiring.Editor, change wiring.Change, dryRun bool) {
	switch {
	case a.JSON:
	case !change.Changed():
		a.Print("%s: unchanged: %s", editor.Title, editor.Path)
	case dryRun:
		printDiff(a, editor.Title, change)
	default:
		a.Print("%s: agents with the handoff in the agent panel: %s", editor.Title, editor.Path)
	}
}

// offerEditors prints the settings of the editors that are here and have no agent of
// ours yet.
func offerEditors(a *cli.App) {
	specs, program := speakers(a), absoluteProgram()
	for _, editor := range wiring.Editors() {
		change, err := wiring.PlanEditor(editor, specs, program)
		if !editor.Here() || err != nil || !change.Changed() {
			continue
		}
		a.Print("\n%s starts agents with the handoff by these settings in %s\n(`carryover install --editors %s` adds them):\n%s",
			editor.Title, editor.Path, editor.Name, editor.Entries(specs, program))
	}
}

// disconnectEditors takes our agents out of the settings of all editors.
func disconnectEditors(a *cli.App, dryRun bool) error {
	var errs []error
	for _, editor := range wiring.Editors() {
		change, err := wiring.PlanEditorRemoval(editor)
		if err == nil && change.Changed() && !dryRun {
			err = wiring.WriteEditor(a.Home, change)
		}
		errs = append(errs, err)
		if err == nil && change.Changed() && !a.JSON {
			if dryRun {
				printDiff(a, editor.Title, change)
			} else {
				a.Print("%s: agents removed from %s", editor.Title, editor.Path)
			}
		}
	}
	return errors.Join(errs...)
}

// speakers are the agents on this machine that speak the Agent Client Protocol; all of
// them where none is found.
func speakers(a *cli.App) (specs []*toolspecs.Spec) {
	var all []*toolspecs.Spec
	for _, spec := range a.Table().All() {
		if spec.Editor == nil {
			continue
		}
		all = append(all, spec)
		if slices.ContainsFunc(spec.Detect.Binaries, isOnPath) {
			specs = append(specs, spec)
		}
	}
	if len(specs) == 0 {
		return all
	}
	return specs
}

func isOnPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// absoluteProgram is how an editor runs this program: it has another PATH than a shell.
func absoluteProgram() string {
	if self, err := os.Executable(); err == nil && filepath.IsAbs(self) {
		return self
	}
	return ownProgram()
}
