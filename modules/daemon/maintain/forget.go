package maintain

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

// Forget deletes a text, or sessions, from everything Carryover keeps, and
// keeps them out. The agents' own transcripts stay as they are.
func (m *Service) Forget(ctx context.Context, request view.ForgetRequest, progress view.Progress) (view.ForgetResult, error) {
	done := view.ForgetResult{Schema: 1, Left: []string{}, Refused: []view.SkippedFile{}}
	sessions, err := m.sessionsToForget(ctx, request)
	if err != nil {
		return done, err
	}
	worktrees, err := m.worktrees(ctx)
	if err != nil {
		return done, err
	}
	what := ledger.Forgetting{Text: request.Text, Progress: func(done, total int) { progress.Report(done, total, "") }}
	for _, session := range sessions {
		what.Sessions = append(what.Sessions, session.SessionKey)
		if err := skipRefused(&done, m.unpublish(session)); err != nil {
			return done, err
		}
		done.Files++
	}
	counts, err := m.store.Forget(ctx, what)
	if errors.Is(err, tombstone.ErrTooShort) {
		return done, view.Invalid(err.Error())
	}
	done.Events, done.Sessions = counts.Events+counts.Agents, counts.Sessions
	m.changed()
	if err != nil || request.Text == "" {
		return done, err
	}
	if err := m.scrubFiles(worktrees, &done); err != nil {
		return done, err
	}
	done.Left, err = m.stillHolding(request.Text)
	return done, err
}

// sessionsToForget are those that are named, and all of a directory's project.
func (m *Service) sessionsToForget(ctx context.Context, request view.ForgetRequest) ([]ledger.Session, error) {
	var list []ledger.Session
	for _, id := range request.Sessions {
		session, err := m.query.SessionNamed(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, session)
	}
	if request.Project == "" {
		return list, nil
	}
	all, err := m.query.SessionsIn(ctx, request.Project, ledger.SessionFilter{Subagents: true})
	if err == nil && len(all) == 0 {
		err = view.NotFound("no session was captured in " + request.Project)
	}
	return append(list, all...), err
}

// worktrees are all folders a handoff may have been written into.
func (m *Service) worktrees(ctx context.Context) ([]string, error) {
	projects, err := m.store.Projects(ctx)
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
func (m *Service) unpublish(session ledger.Session) error {
	if session.Worktree == "" {
		return nil
	}
	if last, ok := publish.LastFallback(m.home, session.Worktree); !ok || last.Session != session.ID {
		return nil
	}
	if text, err := os.ReadFile(m.home.Handoff()); err == nil && strings.Contains(string(text), session.Worktree) {
		if err := os.Remove(m.home.Handoff()); err != nil {
			return err
		}
	}
	return m.publisher.Withdraw(session.Worktree)
}
