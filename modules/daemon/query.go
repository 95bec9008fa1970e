package daemon

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/config"
	"github.com/carryover-go/carryover/modules/daemon/gitrepo"
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/distiller/render"
	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Found is the result of a search (docs/json-output.md).
type Found struct {
	Schema     int     `json:"schema"`
	TookMS     float64 `json:"took_ms"`
	Total      int     `json:"total"`
	Suggestion string  `json:"suggestion,omitempty"` // the query in a spelling that may find something
	Hits       []Hit   `json:"hits"`
}

// Hit is one event that matched, or what a named agent left.
type Hit struct {
	Session string   `json:"session,omitempty"`
	Tool    string   `json:"tool,omitempty"`
	Agent   string   `json:"agent,omitempty"`
	Handoff string   `json:"handoff,omitempty"` // id
	Project string   `json:"project,omitempty"` // id, of what an agent left
	Time    string   `json:"time,omitempty"`
	Kind    string   `json:"kind"`
	Snippet string   `json:"snippet"`
	Marks   [][2]int `json:"marks"` // what was looked for in the snippet: from, to, in bytes
	Source  Where    `json:"source"`
}

func viewHit(hit ledger.Hit) Hit {
	view := Hit{
		Session: hit.Session.ID, Tool: hit.Session.Tool, Agent: hit.Agent, Kind: string(hit.Kind), Time: Stamp(hit.Time),
		Snippet: hit.Snippet.Text, Marks: [][2]int{},
		Source: Where{Session: hit.Session.ID, Path: hit.Path, Line: hit.Ref.Line, Offset: hit.Ref.Offset},
	}
	if hit.Agent != "" {
		view.Handoff, view.Project = hit.ID, hit.Project
	}
	for _, mark := range hit.Snippet.Marks {
		view.Marks = append(view.Marks, [2]int{mark.From, mark.To})
	}
	return view
}

// Where is the place of something in a transcript.
type Where struct {
	Session string `json:"session,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int64  `json:"line,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
}

// Find searches the ledger. The project is a directory, or its id.
func (p *Pipeline) Find(ctx context.Context, request api.SearchRequest) (Found, error) {
	query := ledger.Query{Text: request.Query, Tool: request.Tool, Kind: transcript.Kind(request.Kind), Limit: request.Limit}
	found := Found{Schema: 1, Hits: []Hit{}}
	for _, bound := range []struct {
		name, age string
		time      *time.Time
	}{{"since", request.Since, &query.Since}, {"until", request.Until, &query.Until}} {
		if bound.age == "" {
			continue
		}
		age, err := config.Age(bound.age)
		if err != nil {
			return found, invalid(bound.name + ": " + err.Error())
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
		found.Hits = append(found.Hits, viewHit(hit))
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
func (p *Pipeline) SessionPart(ctx context.Context, page api.Page, filter ledger.SessionFilter) (api.List[ledger.Session], error) {
	return api.Part(page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
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
func (p *Pipeline) ListSessions(ctx context.Context, directory string, page api.Page) (api.List[SessionView], error) {
	part, err := api.Part(page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		return p.sessionsIn(ctx, directory, ledger.SessionFilter{After: after, Limit: limit})
	})
	views := api.List[SessionView]{Schema: part.Schema, Items: []SessionView{}, Next: part.Next}
	for _, session := range part.Items {
		views.Items = append(views.Items, viewSession(session))
	}
	return views, err
}

// HandoffOptions shape a handoff that somebody asks for.
type HandoffOptions struct {
	Session string // id or its beginning; "" takes the one whose handoff stands in the directory
	Last    bool   // the one whose handoff stands in all projects
	Mode    string
	Shape   string
	Explain bool
}

// HandoffOf renders the handoff of a session.
func (p *Pipeline) HandoffOf(ctx context.Context, directory string, options HandoffOptions) (render.Document, error) {
	session, err := p.pick(ctx, directory, options)
	if err != nil {
		return render.Document{}, err
	}
	facts, err := p.Distil(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	mode := options.Mode
	if mode == "" {
		mode = p.projectChoices(session.Worktree).Resume
	}
	trail, err := p.sessions.Trail(ctx, session)
	if err != nil {
		return render.Document{}, err
	}
	text := render.Handoff(facts, render.Options{
		Mode: render.Mode(mode), Shape: render.Shape(options.Shape), Explain: options.Explain, Trail: trail,
	})
	return render.NewDocument(facts, text, session.Project.Path, session.Path, nil), nil
}

func (p *Pipeline) pick(ctx context.Context, directory string, options HandoffOptions) (ledger.Session, error) {
	if options.Session != "" {
		return p.SessionNamed(ctx, options.Session)
	}
	if options.Last {
		session, found, err := p.Standing(ctx, ledger.SessionFilter{})
		return orNothing(session, found, err, "no session with a request was captured yet")
	}
	abs, err := filepath.Abs(directory)
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
		return ledger.Session{}, nothing("there is no session " + id)
	case 1:
		return list[0], nil
	}
	return ledger.Session{}, invalid(fmt.Sprintf("%s is the beginning of several sessions: %s", id, strings.Join(names(list), ", ")))
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
		err = nothing(what)
	}
	return session, err
}

// DocumentOf is the JSON object of `carryover distill`.
func DocumentOf(file ingest.FileFacts, options render.Options) render.Document {
	options.Trail = file.Trail
	return render.NewDocument(file.Facts, render.Handoff(file.Facts, options), file.Facts.Cwd, file.Path, render.CoverageOf(file.Coverage))
}

// Shown is a session with its events (docs/json-output.md).
type Shown struct {
	Schema   int           `json:"schema"`
	Session  SessionView   `json:"session"`
	Events   []EventView   `json:"events"`
	Restores []RestoreView `json:"restores"`
}

// Show finds a session by its id or the beginning of it, with all its events,
// or those of one line of its transcripts.
func (p *Pipeline) Show(ctx context.Context, id string, line int64) (Shown, error) {
	session, err := p.SessionNamed(ctx, id)
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{Schema: 1, Session: viewSession(session), Events: []EventView{}}
	for event, err := range p.Log.Events(ctx, session.SessionKey) {
		if err != nil {
			return Shown{}, err
		}
		if line == 0 || event.Ref.Line == line {
			shown.Events = append(shown.Events, viewEvent(event))
		}
	}
	if line > 0 && len(shown.Events) == 0 {
		return Shown{}, nothing(fmt.Sprintf("nothing stands at line %d of session %s", line, session.ID))
	}
	restores, err := p.Log.Restores(ctx, session.SessionKey, 0)
	slices.Reverse(restores) // a story is told from its beginning
	shown.Restores = viewRestores(restores)
	return shown, err
}
