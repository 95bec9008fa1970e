package ledger

import (
	"path/filepath"
	"slices"
)

// ProjectIdentity is what a directory says about its project: Common is the
// git common directory, or the directory itself outside git.
type ProjectIdentity struct {
	Common   string
	Worktree string // root of the worktree, or the directory itself
}

// Project is a repository, or a directory outside of any.
type Project struct {
	ID    string   `json:"id"`              // opaque
	Path  string   `json:"path"`            // last known
	Paths []string `json:"paths,omitempty"` // every path it was seen at
}

// KnownProject is what the ledger knows of a project, for whoever can look at the
// disk whether a directory of an unknown path is the same one.
type KnownProject struct {
	Paths []string // every path it was seen at
	// HasSession says whether a session of it has an id that begins so.
	HasSession func(prefix string) bool
}

// ShownPath is what a person calls the project: the repository's folder, not the git
// directory in it, and not one of its linked worktrees.
func (i ProjectIdentity) ShownPath() string {
	switch {
	case isRepository(i.Common):
		return filepath.Dir(i.Common)
	case i.Worktree != "":
		return i.Worktree
	}
	return i.Common
}

// IsInside says whether a directory outside git is a part of a project that is shown
// at a path and was seen at others, and so no new place of it: a worktree that is
// gone, or a folder below.
func (i ProjectIdentity) IsInside(path string, paths []string) bool {
	if isRepository(i.Common) {
		return false
	}
	rel, err := filepath.Rel(path, i.Worktree)
	return err == nil && rel != "." && filepath.IsLocal(rel) || slices.ContainsFunc(paths, isRepository)
}

func isRepository(path string) bool { return filepath.Base(path) == ".git" }
