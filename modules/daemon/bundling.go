package daemon

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/bundle"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// WriteBundle writes the sessions of a directory's project (in a folder of a repository:
// those that began in it), with the handoffs of its named agents, for another machine, and says how many sessions there are. view.CodeNotFound
// when no session was captured there.
func (p *Services) WriteBundle(ctx context.Context, directory string, to io.Writer) (int, error) {
	sessions, err := p.SessionsIn(ctx, directory, ledger.SessionFilter{Subagents: true})
	if err != nil {
		return 0, err
	}
	header := headerOf(ctx, directory)
	sessions = slices.DeleteFunc(sessions, func(s ledger.Session) bool { return !isPart(s, header.Below) })
	if header.Sessions = len(sessions); header.Sessions == 0 {
		return 0, view.NotFound("no session was captured in " + directory)
	}
	out, err := bundle.NewWriter(to, header)
	if err != nil {
		return 0, err
	}
	for _, session := range sessions {
		session.Path, session.Project = "", ledger.Project{}
		if err := out.Write(bundle.Line{Session: &session}); err != nil {
			return 0, err
		}
		for event, err := range p.Store.Events(ctx, session.SessionKey) {
			if err == nil {
				err = out.Write(bundle.Line{Event: &event.Event})
			}
			if err != nil {
				return 0, err
			}
		}
	}
	project, _, err := p.ProjectOf(ctx, directory)
	if err != nil {
		return 0, err
	}
	handoffs, err := p.Store.Handoffs(ctx, ledger.HandoffFilter{Project: project.ID, Archived: true})
	if err != nil {
		return 0, err
	}
	for _, handoff := range handoffs {
		if err := out.Write(bundle.Line{Handoff: &handoff}); err != nil {
			return 0, err
		}
	}
	return len(sessions), out.Close()
}

// isPart says that a session was begun in a part of its repository, "" for all of it.
func isPart(session ledger.Session, below string) bool {
	place, inside := strings.CutPrefix(filepath.ToSlash(session.Cwd)+"/", strings.TrimSuffix(filepath.ToSlash(session.Worktree), "/")+"/")
	return below == "" || inside && strings.HasPrefix(place, below+"/")
}

// headerOf says of which project a directory is: of a repository, or of the part of one
// below the directory.
func headerOf(ctx context.Context, directory string) bundle.Header {
	abs, err := filepath.Abs(directory)
	if err != nil {
		abs = directory
	}
	header := bundle.Header{Name: filepath.Base(abs), Root: abs}
	if worktree, ok := gitrepo.Find(abs); ok {
		header.FirstCommit, header.Root = worktree.FirstCommit(ctx), worktree.Root
		if below, err := filepath.Rel(worktree.Root, abs); err == nil && below != "." && filepath.IsLocal(below) {
			header.Below = filepath.ToSlash(below)
		}
	}
	return header
}
