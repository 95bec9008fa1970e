package ingest

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/capture/sqlitesource"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs"
)

// sources knows where the tools keep their transcripts, and what belongs to each.
type sources struct {
	table *toolspecs.Table
	store ledger.Store
	roots func() []capture.SourceRoot
}

// Roots are where the tools of the table keep transcripts in this home.
func (s *sources) Roots() []capture.SourceRoot { return s.roots() }

// Latest is the transcript that was written last of all that lie where the tools keep
// them, and its tool. Databases are left out: they hold many sessions. Without any it
// is CodeNotFound.
func (s *sources) Latest(ctx context.Context) (tool, path string, err error) {
	var written time.Time
	for _, root := range s.Roots() {
		files, err := root.Files(ctx)
		if err != nil {
			return "", "", err
		}
		i := slices.IndexFunc(files, func(file string) bool { return !sqlitesource.Is(file) })
		if i < 0 {
			continue
		}
		if info, err := os.Stat(files[i]); err == nil && info.ModTime().After(written) {
			tool, path, written = root.Tool, files[i], info.ModTime()
		}
	}
	if path == "" {
		return "", "", view.NotFound("no agent has written a transcript on this machine")
	}
	return tool, path, nil
}

// Holds says whether a path is a transcript at one of a tool's roots.
func (s *sources) Holds(tool, path string) bool {
	return slices.ContainsFunc(s.Roots(), func(root capture.SourceRoot) bool { return root.Tool == tool && root.Holds(path) })
}

// InProjects are the transcripts that tools keep in the projects of the ledger.
func (s *sources) InProjects(ctx context.Context) []capture.SourceRoot {
	projects, err := s.store.Projects(ctx)
	if err != nil {
		return nil
	}
	var worktrees []string
	for _, project := range projects {
		worktrees = append(worktrees, project.Path)
		worktrees = append(worktrees, project.Paths...)
	}
	slices.Sort(worktrees)
	return untracked(capture.InProjects(s.table, slices.Compact(worktrees)))
}

// untracked leaves out what git tracks: that came with the repository and was written by
// whoever made it, not by an agent here.
func untracked(roots []capture.SourceRoot) []capture.SourceRoot {
	return slices.DeleteFunc(roots, func(root capture.SourceRoot) bool {
		w, ok := gitrepo.Find(root.Root)
		return ok && w.Tracks(root.Glob)
	})
}

// sidecar is the project that a file beside a transcript names.
func (s *sources) sidecar(tool, path string) string {
	spec, err := s.table.Lookup(tool)
	if err != nil {
		return ""
	}
	return capture.Sidecar(spec, path)
}
