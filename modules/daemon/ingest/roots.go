package ingest

import (
	"context"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/capture"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
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
	return slices.DeleteFunc(capture.InProjects(s.table, slices.Compact(worktrees)), func(place capture.SourceRoot) bool {
		// What git tracks came with the repository and was written by whoever
		// made it, not by an agent here.
		w, ok := gitrepo.Find(place.Root)
		return ok && w.Tracks(place.Glob)
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
