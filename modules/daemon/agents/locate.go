package agents

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/continuity"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// locate finds the project of a named agent. project is a directory or an id;
// with "" it is the one project that has the agent. add records a project that is
// not known yet.
func (a *Service) locate(ctx context.Context, agent, project string, add bool) (continuity.AgentLocation, error) {
	if project == "" {
		return a.onlyProject(ctx, agent)
	}
	known, found, err := a.query.ProjectWithID(ctx, project)
	if err != nil || found {
		return continuity.AgentLocation{Project: known.ID, Worktree: known.Path}, err
	}
	abs, err := filepath.Abs(project)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	identity, ok := gitrepo.Identity(abs)
	if !ok {
		return continuity.AgentLocation{}, refused(view.CodeNotFound, project+" belongs to no project", "name a folder that agents work in")
	}
	if add {
		known, err := a.store.Project(ctx, identity)
		return continuity.AgentLocation{Project: known.ID, Worktree: identity.Worktree}, err
	}
	known, ok, err = a.query.ProjectOf(ctx, abs)
	if err == nil && !ok {
		err = refused(view.CodeNotFound, "nothing is known of "+project, "")
	}
	return continuity.AgentLocation{Project: known.ID, Worktree: identity.Worktree}, err
}

// onlyProject is the one project that has an agent of that name.
func (a *Service) onlyProject(ctx context.Context, agent string) (continuity.AgentLocation, error) {
	agents, err := a.store.NamedAgents(ctx)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	var ids []string
	for _, one := range agents {
		if one.Name == agent {
			ids = append(ids, one.Project)
		}
	}
	ids = append(ids, a.wrappers.projects(agent)...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return continuity.AgentLocation{}, refused(view.CodeNotFound, "no agent named "+agent, "name the project; `carryover run --name "+agent+"` begins one")
	}
	projects, err := a.store.Projects(ctx)
	if err != nil {
		return continuity.AgentLocation{}, err
	}
	var paths []string
	location := continuity.AgentLocation{Project: ids[0]}
	for _, known := range projects {
		if slices.Contains(ids, known.ID) {
			location.Worktree = known.Path
			paths = append(paths, known.Path)
		}
	}
	if len(ids) > 1 {
		return continuity.AgentLocation{}, refused(view.CodeAmbiguous, fmt.Sprintf("several projects have an agent %s: %s", agent, strings.Join(paths, ", ")), "name one with project")
	}
	return location, nil
}

// RunsIn are the ids of the projects in which a wrapper runs an agent; none are
// known without a daemon.
func (a *Service) RunsIn(agent string) []string { return a.wrappers.projects(agent) }

// refused is an error with a code and what to do about it.
func refused(code view.Code, message, hint string) error {
	return &view.Error{Code: code, Message: message, Hint: hint}
}

// maxRuns is how many sessions of a worktree are looked at for that of a run.
const maxRuns = 16
