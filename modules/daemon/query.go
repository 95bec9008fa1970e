package daemon

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

func newHit(hit ledger.Hit) view.SearchHit {
	shown := view.SearchHit{
		Session: hit.Session.ID, Tool: hit.Session.Tool, Agent: hit.Agent, Kind: string(hit.Kind), Time: view.Timestamp(hit.Time),
		Snippet: hit.Snippet.Text, Marks: [][2]int{},
		Source: view.Location{Session: hit.Session.ID, Path: hit.Path, Line: hit.Ref.Line, Offset: hit.Ref.Offset},
	}
	if hit.Agent != "" {
		shown.Handoff, shown.Project = hit.ID, hit.Project
	}
	for _, mark := range hit.Snippet.Marks {
		shown.Marks = append(shown.Marks, [2]int{mark.From, mark.To})
	}
	return shown
}

// Search finds events. The project is a directory, or its id.
func (p *Pipeline) Search(ctx context.Context, request view.SearchRequest) (view.SearchResult, error) {
	query := ledger.Query{Text: request.Query, Tool: request.Tool, Kind: transcript.Kind(request.Kind), Limit: request.Limit}
	found := view.SearchResult{Schema: 1, Hits: []view.SearchHit{}}
	for _, bound := range []struct {
		name, age string
		time      *time.Time
	}{{"since", request.Since, &query.Since}, {"until", request.Until, &query.Until}} {
		if bound.age == "" {
			continue
		}
		age, err := config.Age(bound.age)
		if err != nil {
			return found, view.Invalid(bound.name + ": " + err.Error())
		}
		*bound.time = p.Now().Add(-age)
	}
	if request.Project != "" {
		project, ok, err := p.projectOf(ctx, request.Project)
		if err != nil || !ok {
			return found, err
		}
		query.Project = project.ID
	}
	results, err := p.Log.Search(ctx, query)
	if err != nil {
		return found, err
	}
	found.TookMS = float64(results.Took.Microseconds()) / 1000
	found.Total, found.Suggestion = results.Total, results.Suggestion
	for _, hit := range results.Hits {
		found.Hits = append(found.Hits, newHit(hit))
	}
	return found, nil
}

// ProjectWithID finds a project by its id.
func (p *Pipeline) ProjectWithID(ctx context.Context, id string) (ledger.Project, bool, error) {
	projects, err := p.Log.Projects(ctx)
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

// SessionPart reads a part of the list of sessions, those with their last event
// newest first.
func (p *Pipeline) SessionPart(ctx context.Context, page view.Page, filter ledger.SessionFilter) (view.List[ledger.Session], error) {
	return view.Part(page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		filter.After, filter.Limit = after, limit
		return p.Log.Sessions(ctx, filter)
	})
}

// projectOf finds the project of a directory, or with an id, among those that
// are known. It learns nothing new, so a read-only ledger will do.
func (p *Pipeline) projectOf(ctx context.Context, directory string) (ledger.Project, bool, error) {
	projects, err := p.Log.Projects(ctx)
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
	return ledger.Project{}, false, nil
}

// sessionsIn lists the sessions of a directory's project that pass a filter,
// newest first; "" takes all projects, a directory that is no project has none.
func (p *Pipeline) sessionsIn(ctx context.Context, directory string, filter ledger.SessionFilter) ([]ledger.Session, error) {
	if directory != "" {
		project, ok, err := p.projectOf(ctx, directory)
		if err != nil || !ok {
			return nil, err
		}
		filter.Project = project.ID
	}
	return p.Log.Sessions(ctx, filter)
}

// ListSessions lists the sessions of a directory's project, or of all ("").
func (p *Pipeline) ListSessions(ctx context.Context, request view.SessionListRequest) (view.List[view.Session], error) {
	part, err := view.Part(request.Page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		return p.sessionsIn(ctx, request.Directory, ledger.SessionFilter{After: after, Limit: limit})
	})
	return view.Map(part, view.NewSession), err
}

// Handoff renders the handoff of a session.
func (p *Pipeline) Handoff(ctx context.Context, request view.HandoffRequest) (render.Document, error) {
	session, err := p.handoffSession(ctx, request)
	if err != nil {
		return render.Document{}, err
	}
	facts, err := p.Distil(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	mode := request.Mode
	if mode == "" {
		mode = p.projectChoices(session.Worktree).Resume
	}
	trail, err := p.sessions.Trail(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	text := render.Handoff(facts, render.Options{
		Mode: render.Mode(mode), Shape: render.Shape(request.Shape), Explain: request.Explain, Trail: trail,
	})
	return render.NewDocument(facts, text, session.Project.Path, session.Path, nil), nil
}

// handoffSession is the session whose handoff is asked for.
func (p *Pipeline) handoffSession(ctx context.Context, request view.HandoffRequest) (ledger.Session, error) {
	switch {
	case request.Session != "":
		return p.sessionWithin(ctx, request.Session, request.Within)
	case request.Last:
		session, found, err := p.Standing(ctx, ledger.SessionFilter{})
		return orNothing(session, found, err, "no session with a request was captured yet")
	}
	return p.pick(ctx, request.SessionSelector)
}

// pick is the session that is named, else the one whose handoff stands in the
// directory.
func (p *Pipeline) pick(ctx context.Context, selected view.SessionSelector) (ledger.Session, error) {
	if selected.Session != "" {
		return p.SessionNamed(ctx, selected.Session)
	}
	abs, err := filepath.Abs(selected.Directory)
	if err != nil {
		return ledger.Session{}, err
	}
	if identity, ok := gitrepo.Identity(abs); ok {
		if session, found, err := p.Standing(ctx, ledger.SessionFilter{Worktree: identity.Worktree}); err != nil || found {
			return session, err
		}
	}
	project, ok, err := p.projectOf(ctx, abs)
	if err != nil || !ok {
		return orNothing(ledger.Session{}, false, err, "no session was captured in "+abs)
	}
	session, found, err := p.Standing(ctx, ledger.SessionFilter{Project: project.ID})
	return orNothing(session, found, err, "no session with a request was captured in "+abs)
}

// SessionNamed finds a session by its id or the beginning of it. A beginning
// that fits several is an error that names them.
func (p *Pipeline) SessionNamed(ctx context.Context, id string) (ledger.Session, error) {
	list, err := p.Log.Sessions(ctx, ledger.SessionFilter{IDPrefix: id, Subagents: true, Limit: 4})
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

// DocumentOf is the JSON object of `carryover distill`.
func DocumentOf(file ingest.FileFacts, options render.Options) render.Document {
	options.Trail = file.Trail
	return render.NewDocument(file.Facts, render.Handoff(file.Facts, options), file.Facts.Cwd, file.Path, render.CoverageOf(file.Coverage))
}

// ShowSession finds a session by its id or the beginning of it, with all its
// events, or those of one line of its transcripts.
func (p *Pipeline) ShowSession(ctx context.Context, request view.SessionRequest) (view.SessionDetail, error) {
	session, err := p.sessionWithin(ctx, request.Session, request.Within)
	if err != nil {
		return view.SessionDetail{}, err
	}
	shown := view.SessionDetail{Schema: 1, Session: view.NewSession(session), Events: []view.Event{}}
	for event, err := range p.Log.Events(ctx, session.SessionKey) {
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
	restores, err := p.Log.Restores(ctx, session.SessionKey, 0)
	slices.Reverse(restores) // a story begins with its beginning
	shown.Restores = view.NewRestores(restores)
	return shown, err
}

// sessionWithin is SessionNamed, but a session must belong to the project of a
// directory, where one is named.
func (p *Pipeline) sessionWithin(ctx context.Context, id, directory string) (ledger.Session, error) {
	session, err := p.SessionNamed(ctx, id)
	if err != nil || directory == "" {
		return session, err
	}
	inside, err := p.InProject(ctx, session, directory)
	if err == nil && !inside {
		err = &view.Error{Code: view.CodeOtherProject, Message: "session " + id + " belongs to another project"}
	}
	return session, err
}
