package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/publish"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/forget"
)

// Forgotten is what `carryover forget` did (docs/json-output.md).
type Forgotten struct {
	Schema   int      `json:"schema"`
	Events   int      `json:"events"`   // changed, for a text; gone, for sessions
	Sessions int      `json:"sessions"` // gone
	Files    int      `json:"files"`    // of ours that were rewritten or taken away
	Left     []string `json:"left"`     // files of ours that still hold the text: it is part of a path
}

// Forget takes a text, or sessions, out of everything Carryover keeps, and
// keeps them out. The agents' own transcripts stay as they are.
func (p *Pipeline) Forget(ctx context.Context, request api.ForgetRequest, progress api.Progress) (Forgotten, error) {
	done := Forgotten{Schema: 1, Left: []string{}}
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
		if err := p.unpublish(session); err != nil {
			return done, err
		}
		done.Files++
	}
	counts, err := p.Log.Forget(ctx, what)
	if errors.Is(err, forget.ErrTooShort) {
		return done, invalid(err.Error())
	}
	done.Events, done.Sessions = counts.Events+counts.Agents, counts.Sessions
	p.sessions.reset()
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
	return p.withdraw(session.Worktree)
}

// maxScrubbed bounds the files of ours that are looked through, in bytes.
const maxScrubbed = 64 << 20

// scrubFiles scrubs what stands below our home and in the projects' own
// folders of ours, but not the ledger, which did it itself.
func (p *Pipeline) scrubFiles(worktrees []string, done *Forgotten) error {
	folders := []string{string(p.Home)}
	for _, worktree := range worktrees {
		folders = append(folders, filepath.Join(worktree, ".carryover"))
	}
	for _, folder := range folders {
		root, err := os.OpenRoot(folder)
		if err != nil {
			continue // never written into, or gone
		}
		n, err := p.scrubBelow(root)
		done.Files += n
		if err := errors.Join(err, root.Close()); err != nil {
			return fmt.Errorf("forget in %s: %w", folder, err)
		}
	}
	return nil
}

func (p *Pipeline) scrubBelow(root *os.Root) (changed int, err error) {
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || p.keepsItself(path) {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() > maxScrubbed {
			return err
		}
		text, err := root.ReadFile(path)
		if err != nil {
			return err
		}
		clean := p.Log.ScrubText(string(text))
		if clean == string(text) {
			return nil
		}
		changed++
		return root.WriteFile(path, []byte(clean), info.Mode().Perm())
	})
	return changed, err
}

// keepsItself says that a file below the home is no text of ours.
func (p *Pipeline) keepsItself(path string) bool {
	return strings.HasPrefix(path, "ledger.") || strings.HasPrefix(path, "forgotten.") || strings.HasPrefix(path, "bin/") || strings.HasPrefix(path, "run/")
}

// stillHolding lists the files below the home in which the text still stands:
// it is part of the path of a project or a transcript, by which they are known.
func (p *Pipeline) stillHolding(text string) ([]string, error) {
	left := []string{}
	low := strings.ToLower(text)
	root, err := os.OpenRoot(string(p.Home))
	if err != nil {
		return left, err
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := root.ReadFile(path)
		if err == nil && strings.Contains(strings.ToLower(string(content)), low) {
			left = append(left, p.Home.Path(path))
		}
		return err
	})
	return left, errors.Join(err, root.Close())
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
	p.sessions.reset()
	return viewProject(project), err
}
