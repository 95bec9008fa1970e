package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// View is one tool on this machine, as it is now. Looking changes nothing.
type View struct {
	Detection
	Settings    string   // settings file that is, or would be, wired; "" when there is none
	Exists      bool     // it is there
	Standing    []string // events of it that hold an entry of ours, or our word in its list
	Expected    []string // what an install would put there
	SourceRoots []SourceRoot
	Problem     error // why the settings file cannot be read or is not wired
}

// SourceRoot is where the tool keeps transcripts that are read.
type SourceRoot struct {
	Path   string // with the pattern of the files, relative for one in each project
	Exists bool   // the folder is there
}

// Inspect looks at every tool of the table.
func Inspect(ctx context.Context, table *toolspecs.Table, dir home.Dir) []View {
	var views []View
	for _, found := range Survey(ctx, table) {
		view := View{Detection: found, SourceRoots: sourceRootsOf(found.Spec)}
		view.look(dir)
		views = append(views, view)
	}
	return views
}

// look reads the settings file. Of a tool that is not here the newest version's
// place is looked at: entries may have outlived it.
func (v *View) look(dir home.Dir) {
	resolved := v.Resolved
	if len(resolved.Settings) == 0 && len(v.Spec.Versions) > 0 {
		resolved.Range = v.Spec.Versions[0]
	}
	target, err := TargetOf(dir, v.Spec, resolved)
	if err != nil {
		v.Problem = err
		return
	}
	v.Settings, v.Exists = target.Path, exists(target.Path)
	for _, hook := range target.Hooks {
		v.Expected = append(v.Expected, hook.Event)
	}
	if target.Settings.Entry != "" {
		v.Expected = append(v.Expected, target.Settings.Entry)
	}
	v.Standing, v.Problem = wiring.InstalledEntries(target)
}

// Wired says whether anything of ours stands in the tool's settings.
func (v View) Wired() bool { return len(v.Standing) > 0 }

// Reason is why the tool cannot be wired as it is, nil when it can.
func (v View) Reason() error {
	if v.Err != nil && !errors.Is(v.Err, ErrNotFound) {
		return v.Err
	}
	return v.Problem
}

func sourceRootsOf(spec *toolspecs.Spec) []SourceRoot {
	user, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var roots []SourceRoot
	for _, t := range spec.Transcripts {
		if t.Role != "main" && t.Role != "subagent" {
			continue
		}
		if t.In == "project" {
			roots = append(roots, SourceRoot{Path: t.Glob})
			continue
		}
		for _, root := range toolspecs.ExpandAll(t.Roots, runtime.GOOS, os.Getenv, user) {
			roots = append(roots, SourceRoot{Path: filepath.Join(root, filepath.FromSlash(t.Glob)), Exists: exists(root)})
		}
	}
	return roots
}
