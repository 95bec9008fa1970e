package daemon

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// Forgotten is what `carryover forget` did (docs/json-output.md).
type Forgotten struct {
	Schema   int      `json:"schema"`
	Events   int      `json:"events"`   // changed, for a text; gone, for sessions
	Sessions int      `json:"sessions"` // gone
	Files    int      `json:"files"`    // of ours that were rewritten or taken away
	Left     []string `json:"left"`     // files of ours that still hold the text: it is part of a path

	Refused []RefusedFile `json:"refused"` // what in projects was not looked through, because it is not ours
}

// RefusedFile is a file or folder in a project that is left alone.
type RefusedFile struct {
	Project string `json:"project"`
	Path    string `json:"path"` // below the project
	Reason  string `json:"reason"`
}

// Forget takes a text, or sessions, out of everything Carryover keeps, and
// keeps them out. The agents' own transcripts stay as they are.
func (p *Pipeline) Forget(ctx context.Context, request api.ForgetRequest, progress api.Progress) (Forgotten, error) {
	done := Forgotten{Schema: 1, Left: []string{}, Refused: []RefusedFile{}}
	sessions, err := p.sessionsToForget(ctx, request)
	if err != nil {
		return done, err
	}
	worktrees, err := p.worktrees(ctx)
	if err != nil {
		return done, err
	}
	what := ledger.Forgetting{Text: request.Text, Progress: func(done, total int) { progress.Tell(done, total, "") }}
	for _, session := range sessions {
		what.Sessions = append(what.Sessions, session.SessionKey)
		if err := done.refuse(p.unpublish(session)); err != nil {
			return done, err
		}
		done.Files++
	}
	counts, err := p.Log.Forget(ctx, what)
	if errors.Is(err, tombstone.ErrTooShort) {
		return done, invalid(err.Error())
	}
	done.Events, done.Sessions = counts.Events+counts.Agents, counts.Sessions
	p.sessions.Reset()
	p.ingest.ForgetHeads()
	if err != nil || request.Text == "" {
		return done, err
	}
	if err := p.scrubFiles(worktrees, &done); err != nil {
		return done, err
	}
	done.Left, err = p.stillHolding(request.Text)
	return done, err
}

// sessionsToForget are those that are named, and all of a directory's project.
func (p *Pipeline) sessionsToForget(ctx context.Context, request api.ForgetRequest) ([]ledger.Session, error) {
	var list []ledger.Session
	for _, id := range request.Sessions {
		session, err := p.SessionNamed(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, session)
	}
	if request.Project == "" {
		return list, nil
	}
	all, err := p.sessionsIn(ctx, request.Project, ledger.SessionFilter{Subagents: true})
	if err == nil && len(all) == 0 {
		err = nothing("no session was captured in " + request.Project)
	}
	return append(list, all...), err
}

// worktrees are all folders a handoff may have been written into.
func (p *Pipeline) worktrees(ctx context.Context) ([]string, error) {
	projects, err := p.Log.Projects(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, project := range projects {
		for _, path := range append(project.Paths, project.Path) {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list, nil
}

// unpublish takes the handoff of a session that is to be forgotten away.
func (p *Pipeline) unpublish(session ledger.Session) error {
	if session.Worktree == "" {
		return nil
	}
	if last, ok := publish.LastFallback(p.Home, session.Worktree); !ok || last.Session != session.ID {
		return nil
	}
	if text, err := os.ReadFile(p.Home.Handoff()); err == nil && strings.Contains(string(text), session.Worktree) {
		if err := os.Remove(p.Home.Handoff()); err != nil {
			return err
		}
	}
	return p.publisher.Withdraw(session.Worktree)
}

// ProjectView is a project with the paths it was seen at (docs/json-output.md).
type ProjectView struct {
	ID    string   `json:"id"`
	Path  string   `json:"path"`
	Paths []string `json:"paths"`
}

func viewProject(project ledger.Project) ProjectView {
	paths := project.Paths
	if paths == nil {
		paths = []string{}
	}
	return ProjectView{ID: project.ID, Path: project.Path, Paths: paths}
}

// ListProjects lists all projects by path.
func (p *Pipeline) ListProjects(ctx context.Context) ([]ProjectView, error) {
	views := []ProjectView{}
	projects, err := p.Log.Projects(ctx)
	for _, project := range projects {
		views = append(views, viewProject(project))
	}
	return views, err
}

// ChangeProject moves a project to another path, or merges it into the one
// there.
func (p *Pipeline) ChangeProject(ctx context.Context, request api.ProjectRequest) (ProjectView, error) {
	change := p.Log.MoveProject
	if request.Merge {
		change = p.Log.MergeProjects
	}
	project, err := change(ctx, request.From, request.To)
	if errors.Is(err, ledger.ErrNoProject) {
		return ProjectView{}, nothing(err.Error())
	}
	p.sessions.Reset()
	p.ingest.ForgetHeads()
	return viewProject(project), err
}
