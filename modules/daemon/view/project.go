package view

import (
	"context"

	"github.com/carryover-go/carryover/modules/ledger"
)

// Projects are the repositories and folders that agents worked in.
type Projects interface {
	// ListProjects lists projects by path.
	ListProjects(ctx context.Context, page Page) (List[Project], error)
	// ChangeProject moves a project to another path, or merges it into the one
	// there. CodeNotFound when there is none.
	ChangeProject(ctx context.Context, request ProjectChangeRequest) (Project, error)
}

// ProjectChangeRequest moves the project at a path to another, or merges it
// into the project there.
type ProjectChangeRequest struct {
	From  string `json:"from" jsonschema:"A path of the project."`
	To    string `json:"to" jsonschema:"Its new path, or a path of the other project."`
	Merge bool   `json:"merge,omitempty" jsonschema:"Merge it into the project at the other path."`
}

// Complete refuses a request that lacks a path.
func (r ProjectChangeRequest) Complete() error {
	return complete(r.From != "" && r.To != "", "from and to")
}

// Project is a project with the paths it was seen at.
type Project struct {
	ID    string   `json:"id"`
	Path  string   `json:"path"`
	Paths []string `json:"paths"`
	// Worktrees are those of the paths that an agent's work may lie in: all but the
	// folders of git.
	Worktrees []string `json:"worktrees"`
	Files     []string `json:"files"` // what of Carryover is in them now: its folder, files with lines of it
}

// NewProject is the JSON form of a project.
func NewProject(project ledger.Project) Project {
	paths := project.Paths
	if paths == nil {
		paths = []string{}
	}
	return Project{ID: project.ID, Path: project.Path, Paths: paths, Worktrees: []string{}, Files: []string{}}
}
