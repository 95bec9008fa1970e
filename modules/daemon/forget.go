package daemon

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// Forget takes a text, or sessions, out of everything Carryover keeps, and
// keeps them out. The agents' own transcripts stay as they are.
func (p *Pipeline) Forget(ctx context.Context, request view.ForgetRequest, progress view.Progress) (view.ForgetResult, error) {
	done := view.ForgetResult{Schema: 1, Left: []string{}, Refused: []view.SkippedFile{}}
	sessions, err := p.sessionsToForget(ctx, request)
	if err != nil {
		return done, err
	}
	worktrees, err := p.worktrees(ctx)
	if err != nil {
		return done, err
	}
	what := ledger.Forgetting{Text: request.Text, Progress: func(done, total int) { progress.Report(done, total, "") }}
	for _, session := range sessions {
		what.Sessions = append(what.Sessions, session.SessionKey)
		if err := skipRefused(&done, p.unpublish(session)); err != nil {
			return done, err
		}
		done.Files++
	}
	counts, err := p.Log.Forget(ctx, what)
	if errors.Is(err, tombstone.ErrTooShort) {
		return done, view.Invalid(err.Error())
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
func (p *Pipeline) sessionsToForget(ctx context.Context, request view.ForgetRequest) ([]ledger.Session, error) {
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
		err = view.NotFound("no session was captured in " + request.Project)
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

// ListProjects lists projects by path.
func (p *Pipeline) ListProjects(ctx context.Context, page view.Page) (view.List[view.Project], error) {
	part, err := view.Part(page, func(p ledger.Project) string { return p.Path }, func(after string, _ int) ([]ledger.Project, error) {
		projects, err := p.Log.Projects(ctx)
		return slices.DeleteFunc(projects, func(p ledger.Project) bool { return p.Path <= after }), err
	})
	return view.Map(part, view.NewProject), err
}

// ChangeProject moves a project to another path, or merges it into the one
// there.
func (p *Pipeline) ChangeProject(ctx context.Context, request view.ProjectChangeRequest) (view.Project, error) {
	change := p.Log.MoveProject
	if request.Merge {
		change = p.Log.MergeProjects
	}
	project, err := change(ctx, request.From, request.To)
	if errors.Is(err, ledger.ErrNoProject) {
		return view.Project{}, view.NotFound(err.Error())
	}
	p.sessions.Reset()
	p.ingest.ForgetHeads()
	return view.NewProject(project), err
}
