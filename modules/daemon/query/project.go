package query

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/publish"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// ListProjects lists projects by path.
func (q *Service) ListProjects(ctx context.Context, page view.Page) (view.List[view.Project], error) {
	part, err := view.Part(page, func(p ledger.Project) string { return p.Path }, func(after string, _ int) ([]ledger.Project, error) {
		projects, err := q.store.Projects(ctx)
		return slices.DeleteFunc(projects, func(p ledger.Project) bool { return p.Path <= after }), err
	})
	contextFiles := publish.ContextFiles(q.table)
	return view.Map(part, func(project ledger.Project) view.Project {
		shown := view.NewProject(project)
		shown.Worktrees = publish.Worktrees(project)
		for _, worktree := range shown.Worktrees {
			held, _ := publish.Held(worktree, contextFiles) // what may not be read holds nothing of ours
			for _, name := range held {
				shown.Files = append(shown.Files, filepath.Join(worktree, name))
			}
		}
		return shown
	}), err
}

// ProjectWithID finds a project by its id.
func (q *Service) ProjectWithID(ctx context.Context, id string) (ledger.Project, bool, error) {
	projects, err := q.store.Projects(ctx)
	project, found := withID(projects, id)
	return project, found, err
}

func withID(projects []ledger.Project, id string) (ledger.Project, bool) {
	at := slices.IndexFunc(projects, func(one ledger.Project) bool { return one.ID == id })
	if at < 0 {
		return ledger.Project{}, false
	}
	return projects[at], true
}

// ProjectOf finds the project of a directory, or with an id, among those that
// are known. It learns nothing new, so a read-only ledger will do.
func (q *Service) ProjectOf(ctx context.Context, directory string) (ledger.Project, bool, error) {
	projects, err := q.store.Projects(ctx)
	if err != nil {
		return ledger.Project{}, false, err
	}
	if project, found := withID(projects, directory); found {
		return project, true, nil
	}
	abs, err := filepath.Abs(directory)
	if err != nil {
		return ledger.Project{}, false, err
	}
	identity, ok := gitrepo.Identity(abs)
	if !ok {
		return ledger.Project{}, false, nil
	}
	for _, project := range projects {
		for _, path := range append(project.Paths, project.Path) {
			if path == identity.Common || path == identity.Worktree {
				return project, true, nil
			}
		}
	}
	isSame := gitrepo.SameProject(identity)
	for _, project := range projects {
		if isSame(known(ctx, q.store, project)) {
			return project, true, nil
		}
	}
	return ledger.Project{}, false, nil
}

// known is a project as it is compared with the disk.
func known(ctx context.Context, store Store, project ledger.Project) ledger.KnownProject {
	return ledger.KnownProject{Paths: project.Paths, HasSession: func(prefix string) bool {
		found, err := store.Sessions(ctx, ledger.SessionFilter{Project: project.ID, IDPrefix: prefix, Limit: 1})
		return err == nil && len(found) > 0
	}}
}

// InProject says whether a session belongs to the project of a directory.
func (q *Service) InProject(ctx context.Context, session ledger.Session, directory string) (bool, error) {
	abs, err := filepath.Abs(directory)
	if err != nil {
		return false, err
	}
	if identity, ok := gitrepo.Identity(abs); ok && identity.Worktree == session.Worktree {
		return true, nil
	}
	project, ok, err := q.ProjectOf(ctx, abs)
	return ok && project.ID == session.Project.ID, err
}
