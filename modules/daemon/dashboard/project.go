package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
	"github.com/carryover-go/carryover/modules/daemon/dashboard/words"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// How much the page of a project shows.
const (
	projectSessions  = 15
	projectDecisions = 15
	projectRestores  = 25
	// restoresLooked is how far back the gate's record is looked at: it is
	// kept by session.
	restoresLooked = 2000
)

// project is the page of one.
type project struct {
	Project   ledger.Project
	WholeURL  string // this page with all that it shows
	Whole     bool   // it is; else what is made of long sessions comes after it
	Handoff   *handoff
	History   []past
	Next      string // address of the sessions before those
	Decisions []decided
	River     picture.River
	Files     fileTable
	Ladders   []ladder
	Running   injection // agents that its handoff can be typed into
	Restores  []ledger.Restore
	Agents    []namedAgent
}

// past is a session of a project with its handoff in two lines.
type past struct {
	Session ledger.Session
	Digest  digest
	Given   int // sessions that began with it
}

// projectURL is the page of a project.
func projectURL(id string) string { return "/projects/" + url.PathEscape(id) }

// projectRow is a project in the list of all.
type projectRow struct {
	Project  ledger.Project
	Newest   ledger.Session
	Sessions int
}

// projectList is the list of all projects, or of those with a text in their path.
type projectList struct {
	Rows []projectRow
	Text string
}

// projects lists projects, the one worked in last first.
func (p *Page) projects(r *http.Request) (screen, error) {
	sessions, err := p.Ledger.Sessions(r.Context(), ledger.SessionFilter{})
	if err != nil {
		return screen{}, err
	}
	counts := map[string]int{}
	for _, session := range sessions {
		counts[session.Project.ID]++
	}
	data := projectList{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	for _, newest := range newestOf(sessions) {
		if strings.Contains(strings.ToLower(newest.Project.Path), strings.ToLower(data.Text)) {
			data.Rows = append(data.Rows, projectRow{newest.Project, newest, counts[newest.Project.ID]})
		}
	}
	return screen{template: "projects", title: "Projects", at: "projects", data: data}, nil
}

// known is the project with an id.
func (p *Page) known(ctx context.Context, id string) (ledger.Project, error) {
	projects, err := p.Ledger.Projects(ctx)
	if err != nil {
		return ledger.Project{}, err
	}
	for _, project := range projects {
		if project.ID == id {
			return project, nil
		}
	}
	return ledger.Project{}, view.ErrNotFound
}

func (p *Page) project(r *http.Request) (screen, error) {
	ctx := r.Context()
	known, err := p.known(ctx, r.PathValue("project"))
	if err != nil {
		return screen{}, err
	}
	data := project{Project: known, WholeURL: whole(r)}
	sessions, err := p.Ledger.Sessions(ctx, ledger.SessionFilter{Project: known.ID, Limit: riverSessions})
	if err != nil {
		return screen{}, err
	}
	data.Whole = quick(r, eventsOf(sessions))
	page := view.Page{Limit: projectSessions, Cursor: r.URL.Query().Get("cursor")}
	if data.History, data.Next, err = p.history(ctx, known, page, data.Whole); err != nil {
		return screen{}, err
	}
	if data.Whole {
		if err = p.addFolded(ctx, &data); err != nil {
			return screen{}, err
		}
	}
	if data.Restores, err = p.restoresIn(ctx, known.ID); err != nil {
		return screen{}, err
	}
	if data.River, err = p.river(ctx, sessions); err != nil {
		return screen{}, err
	}
	data.Files, data.Ladders = filesOf(known.Path, data.History), laddersOf(data.History)
	if data.Handoff != nil {
		if data.Running, err = (agentPages{p}).injection(r, data.Handoff.Text); err != nil {
			return screen{}, err
		}
	}
	data.Agents, err = agentPages{p}.agentsIn(ctx, known.ID)
	return screen{template: "project", title: words.BaseOf(known.Path), at: "projects", data: data}, err
}

// addFolded adds what is made of all events of some sessions.
func (p *Page) addFolded(ctx context.Context, data *project) error {
	stands, found, err := p.Sessions.Standing(ctx, ledger.SessionFilter{Project: data.Project.ID})
	if err != nil {
		return err
	}
	if found {
		if data.Handoff, err = p.handoffOf(ctx, stands); err != nil {
			return err
		}
	}
	data.Decisions, err = p.decisions(ctx, data.Project.ID)
	return err
}

// eventsOf counts the events of sessions.
func eventsOf(sessions []ledger.Session) int {
	events := 0
	for _, one := range sessions {
		events += one.Events
	}
	return events
}

// history lists a project's sessions with what they left, newest first.
func (p *Page) history(ctx context.Context, of ledger.Project, page view.Page, wait bool) (list []past, next string, err error) {
	part, err := p.sessionPart(ctx, page, ledger.SessionFilter{Project: of.ID})
	if err != nil {
		return nil, "", err
	}
	given, err := p.Sessions.GivenOn(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, session := range part.Items {
		made, err := p.digests.shown(ctx, p.Sessions, session, wait)
		if err != nil {
			return nil, "", err
		}
		list = append(list, past{session, made, given[session.SessionKey]})
	}
	if part.Next != nil {
		next = projectURL(of.ID) + "?" + url.Values{"cursor": {*part.Next}}.Encode() + "#history"
	}
	return list, next, nil
}

// decisions are the newest recorded in a project.
func (p *Page) decisions(ctx context.Context, project string) ([]decided, error) {
	list, err := p.Service.Decisions(ctx, view.DecisionListRequest{Directory: project, Limit: projectDecisions})
	return supersededOf(list.Items), err
}

// sessionPart is a part of the list of sessions, newest first.
func (p *Page) sessionPart(ctx context.Context, page view.Page, filter ledger.SessionFilter) (view.List[ledger.Session], error) {
	return view.Part(page, ledger.Session.Mark, func(after ledger.SessionMark, limit int) ([]ledger.Session, error) {
		filter.After, filter.Limit = after, limit
		return p.Ledger.Sessions(ctx, filter)
	})
}

// restoresIn are the newest decisions of the gate in a project.
func (p *Page) restoresIn(ctx context.Context, id string) ([]ledger.Restore, error) {
	all, err := p.Ledger.Restores(ctx, ledger.SessionKey{}, restoresLooked)
	here := slices.DeleteFunc(all, func(r ledger.Restore) bool { return r.Project != id })
	return here[:min(projectRestores, len(here))], err
}

// dismiss stops offering a project's handoff until its session goes on, or
// offers it again.
func (p *Page) dismiss(r *http.Request) (next string, err error) {
	known, err := p.known(r.Context(), r.PathValue("project"))
	if err != nil {
		return "", err
	}
	session := r.PostFormValue("session")
	if session == "" { // the newest of the daemon's own directory would be meant
		return "", view.Invalid("a form without a session: invalid request")
	}
	of, err := p.sessionIn(r.Context(), known, session)
	if err != nil {
		return "", err
	}
	_, err = p.Service.Dismiss(r.Context(), view.DismissRequest{Session: of.ID, Undo: r.PostFormValue("undo") != ""})
	if errors.Is(err, view.ErrUnchanged) { // done in another window: the page shows it
		err = nil
	}
	return projectURL(known.ID), err
}

// sessionIn is a session of a project, by its id or the beginning of it. One of another
// project is none.
func (p *Page) sessionIn(ctx context.Context, project ledger.Project, id string) (ledger.Session, error) {
	session, err := p.Sessions.SessionNamed(ctx, id)
	if err == nil && session.Project.ID != project.ID {
		err = view.ErrNotFound
	}
	return session, err
}
