package maintain

import (
	"context"
	"errors"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/tombstone"
)

// Forget deletes a text, or sessions, from everything Carryover keeps, and
// keeps them out. The agents' own transcripts stay as they are. A preview counts
// and changes nothing.
func (m *Service) Forget(ctx context.Context, request view.ForgetRequest, progress view.Progress) (view.ForgetResult, error) {
	done := view.ForgetResult{Schema: 1, Preview: request.Preview, Left: []string{}, Refused: []view.SkippedFile{}}
	sessions, err := m.sessionsToForget(ctx, request)
	if err != nil {
		return done, err
	}
	worktrees, err := m.worktrees(ctx)
	if err != nil {
		return done, err
	}
	what := ledger.Forgetting{Text: request.Text, Preview: request.Preview, Progress: func(done, total int) { progress.Report(done, total, "") }}
	for _, session := range sessions {
		what.Sessions = append(what.Sessions, session.SessionKey)
	}
	if what.Agents, what.Projects, err = m.agentsToForget(ctx, request, sessions); err != nil {
		return done, err
	}
	counts, err := m.store.Forget(ctx, what)
	if errors.Is(err, tombstone.ErrTooShort) {
		return done, view.Invalid(err.Error())
	}
	done.Events, done.Sessions, done.Agents = counts.Events, counts.Sessions, counts.Agents
	if err != nil {
		return done, err
	}
	m.changed()
	files := forgettingFiles{Service: m, request: request, sessions: sessions, agents: what.Agents, done: &done}
	return done, files.all(ctx, worktrees)
}

// agentsToForget are the named agents whose notes go too: all of a project, and
// those that saved their notes last in one of the sessions.
func (m *Service) agentsToForget(ctx context.Context, request view.ForgetRequest, sessions []ledger.Session) (list []ledger.NamedAgent, projects []string, err error) {
	if len(sessions) == 0 {
		return nil, nil, nil
	}
	whole := ""
	if request.Project != "" {
		whole = sessions[len(sessions)-1].Project.ID
		projects = append(projects, whole)
	}
	all, err := m.store.NamedAgents(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, agent := range all {
		notes, _, err := m.store.AgentLedger(ctx, agent.Project, agent.Name)
		if err != nil {
			return nil, nil, err
		}
		in := func(s ledger.Session) bool { return s.ID == notes.SessionID }
		if agent.Project == whole || notes.SessionID != "" && slices.ContainsFunc(sessions, in) {
			list = append(list, agent)
		}
	}
	return list, projects, nil
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
