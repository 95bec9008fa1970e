package daemon

import (
	"context"
	"os"
	"runtime"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/wiring"
	"github.com/carryover-go/carryover/toolspecs"
)

// places are where the tools of the table keep transcripts in this home.
func (p *Pipeline) places() []capture.Place {
	p.placesOnce.Do(func() { p.placeList = capture.Places(p.Table) })
	return p.placeList
}

// inProjects are the transcripts that tools keep in the projects we know of.
func (p *Pipeline) inProjects(ctx context.Context) []capture.Place {
	projects, err := p.Log.Projects(ctx)
	if err != nil {
		return nil
	}
	var worktrees []string
	for _, project := range projects {
		worktrees = append(worktrees, project.Path)
		worktrees = append(worktrees, project.Paths...)
	}
	slices.Sort(worktrees)
	return slices.DeleteFunc(capture.InProjects(p.Table, slices.Compact(worktrees)), func(place capture.Place) bool {
		// What git tracks came with the repository and was written by whoever
		// made it, not by an agent here.
		w, ok := gitrepo.Find(place.Root)
		return ok && w.Tracks(place.Glob)
	})
}

// beside is the project that a file beside a transcript names.
func (p *Pipeline) beside(tool, path string) string {
	spec, err := p.Table.Lookup(tool)
	if err != nil {
		return ""
	}
	return capture.Beside(spec, path)
}

// wired yields what holds for each tool that is wired, at the version it had
// then.
func (p *Pipeline) wired() []toolspecs.Resolved {
	record, _, err := wiring.ReadRecord(p.Home)
	if err != nil {
		return nil
	}
	var list []toolspecs.Resolved
	for _, file := range record.Files {
		spec, err := p.Table.Lookup(file.Tool)
		if err != nil {
			continue
		}
		if resolved, err := spec.Resolve(file.Version); err == nil {
			list = append(list, resolved)
		}
	}
	return list
}

// contextRules are the context-file rules of the tools that are wired.
func (p *Pipeline) contextRules() []toolspecs.ContextFiles {
	var rules []toolspecs.ContextFiles
	for _, resolved := range p.wired() {
		rules = append(rules, resolved.Context)
	}
	return rules
}

// readsContext says whether a wired tool reads publish.ContextFile.
func (p *Pipeline) readsContext() bool {
	for _, resolved := range p.wired() {
		for _, settings := range resolved.Settings {
			if settings.Entry == publish.ContextFile {
				return true
			}
		}
	}
	return false
}

// SettingsPath is the settings file of a tool in this home: the first
// candidate that exists, else the standard place.
func SettingsPath(settings toolspecs.Settings) (string, bool) {
	user, err := os.UserHomeDir()
	if err != nil {
		return "", false
	}
	candidates := toolspecs.ExpandAll(settings.Paths, runtime.GOOS, os.Getenv, user)
	if len(candidates) == 0 {
		return "", false
	}
	if i := slices.IndexFunc(candidates, func(path string) bool { _, err := os.Stat(path); return err == nil }); i >= 0 {
		return candidates[i], true
	}
	return candidates[0], true
}
