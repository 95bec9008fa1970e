package query

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// SessionsIn lists the sessions of a directory's project that pass a filter,
// newest first; "" takes all projects, a directory that is no project has none.
func (q *Service) SessionsIn(ctx context.Context, directory string, filter ledger.SessionFilter) ([]ledger.Session, error) {
	if directory != "" {
		project, ok, err := q.ProjectOf(ctx, directory)
		if err != nil || !ok {
			return nil, err
		}
		filter.Project = project.ID
	}
	return q.store.Sessions(ctx, filter)
}

// ListSessions lists the sessions of a directory's project, or of all ("").
func (q *Service) ListSessions(ctx context.Context, request view.SessionListRequest) (view.List[view.Session], error) {
	part, err := view.Part(request.Page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		return q.SessionsIn(ctx, request.Directory, ledger.SessionFilter{After: after, Limit: limit})
	})
	return view.Map(part, view.NewSession), err
}

// Pick is the session that is named, else the one with the current handoff of the
// directory.
func (q *Service) Pick(ctx context.Context, selected view.SessionSelector) (ledger.Session, error) {
	if selected.Session != "" {
		return q.SessionNamed(ctx, selected.Session)
	}
	abs, err := filepath.Abs(selected.Directory)
	if err != nil {
		return ledger.Session{}, err
	}
	if identity, ok := gitrepo.Identity(abs); ok {
		if session, found, err := q.sessions.Standing(ctx, ledger.SessionFilter{Worktree: identity.Worktree}); err != nil || found {
			return session, err
		}
	}
	project, ok, err := q.ProjectOf(ctx, abs)
	if err != nil || !ok {
		return orNothing(ledger.Session{}, false, err, "no session was captured in "+abs)
	}
	session, found, err := q.sessions.Standing(ctx, ledger.SessionFilter{Project: project.ID})
	return orNothing(session, found, err, "no session with a request was captured in "+abs)
}

// SessionNamed finds a session by its id or the beginning of it. A beginning
// that fits several is an error that names them.
func (q *Service) SessionNamed(ctx context.Context, id string) (ledger.Session, error) {
	list, err := q.store.Sessions(ctx, ledger.SessionFilter{IDPrefix: id, Subagents: true, Limit: 4})
	if err != nil {
		return ledger.Session{}, err
	}
	for _, session := range list {
		if session.ID == id {
			return session, nil
		}
	}
	switch len(list) {
	case 0:
		return ledger.Session{}, view.NotFound("there is no session " + id)
	case 1:
		return list[0], nil
	}
	return ledger.Session{}, view.Invalid(fmt.Sprintf("%s is the beginning of several sessions: %s", id, strings.Join(names(list), ", ")))
}

func names(list []ledger.Session) []string {
	ids := make([]string, len(list))
	for i, session := range list {
		ids[i] = session.ID
	}
	return ids
}

func orNothing(session ledger.Session, found bool, err error, what string) (ledger.Session, error) {
	if err == nil && !found {
		err = view.NotFound(what)
	}
	return session, err
}

// ShowSession finds a session by its id or the beginning of it, with all its
// events, or those of one line of its transcripts.
func (q *Service) ShowSession(ctx context.Context, request view.SessionRequest) (view.SessionDetail, error) {
	session, err := q.sessionWithin(ctx, request.Session, request.Within)
	if err != nil {
		return view.SessionDetail{}, err
	}
	shown := view.SessionDetail{Schema: 1, Session: view.NewSession(session), Events: []view.Event{}}
	for event, err := range q.store.Events(ctx, session.SessionKey) {
		if err != nil {
			return view.SessionDetail{}, err
		}
		if request.Line == 0 || event.Ref.Line == request.Line {
			shown.Events = append(shown.Events, view.NewEvent(event))
		}
	}
	if request.Line > 0 && len(shown.Events) == 0 {
		return view.SessionDetail{}, view.NotFound(fmt.Sprintf("nothing stands at line %d of session %s", request.Line, session.ID))
	}
	restores, err := q.store.Restores(ctx, session.SessionKey, 0)
	slices.Reverse(restores) // a story begins with its beginning
	shown.Restores = view.NewRestores(restores)
	return shown, err
}

// sessionWithin is SessionNamed, but a session must belong to the project of a
// directory, where one is named.
func (q *Service) sessionWithin(ctx context.Context, id, directory string) (ledger.Session, error) {
	session, err := q.SessionNamed(ctx, id)
	if err != nil || directory == "" {
		return session, err
	}
	inside, err := q.InProject(ctx, session, directory)
	if err == nil && !inside {
		err = &view.Error{Code: view.CodeOtherProject, Message: "session " + id + " belongs to another project"}
	}
	return session, err
}
