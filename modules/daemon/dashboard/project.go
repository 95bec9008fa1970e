package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
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
	Self      string // address of this page
	Handoff   *handoff
	History   []past
	Next      string // address of the sessions before those
	Decisions []decided
	River     picture.River
	Files     fileTable
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

// projects lists all projects, the one worked in last first.
func (p *Page) projects(r *http.Request) (screen, error) {
	sessions, err := p.Ledger.Sessions(r.Context(), ledger.SessionFilter{})
	if err != nil {
		return screen{}, err
	}
	counts := map[string]int{}
	for _, session := range sessions {
		counts[session.Project.ID]++
	}
	var rows []projectRow
	for _, newest := range newestOf(sessions) {
		rows = append(rows, projectRow{newest.Project, newest, counts[newest.Project.ID]})
	}
	return screen{template: "projects", title: "Projects", at: "projects", data: rows}, nil
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
	data := project{Project: known, Self: r.URL.RequestURI()}
	page := view.Page{Limit: projectSessions, Cursor: r.URL.Query().Get("cursor")}
	if data.History, data.Next, err = p.history(ctx, known, page); err != nil {
		return screen{}, err
	}
	stands, found, err := p.Sessions.Standing(ctx, ledger.SessionFilter{Project: known.ID})
	if err != nil {
		return screen{}, err
	}
	if found {
		if data.Handoff, err = p.handoffOf(ctx, stands); err != nil {
			return screen{}, err
		}
	}
	if data.Decisions, err = p.decisions(ctx, known.ID); err != nil {
		return screen{}, err
	}
	if data.Restores, err = p.restoresIn(ctx, known.ID); err != nil {
		return screen{}, err
	}
	if data.River, err = p.river(ctx, known.ID); err != nil {
		return screen{}, err
	}
	data.Files = filesOf(known.Path, data.History)
	data.Agents, err = agentPages{p}.agentsIn(ctx, known.ID)
	return screen{template: "project", title: baseOf(known.Path), at: "projects", data: data}, err
}

// history lists a project's sessions with what they left, newest first.
func (p *Page) history(ctx context.Context, of ledger.Project, page view.Page) (list []past, next string, err error) {
	part, err := p.sessionPart(ctx, page, ledger.SessionFilter{Project: of.ID})
	if err != nil {
		return nil, "", err
	}
	given, err := p.Sessions.GivenOn(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, session := range part.Items {
		made, err := p.digests.of(ctx, p.Sessions, session)
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
	_, err = p.Service.Dismiss(r.Context(), view.DismissRequest{Session: session, Undo: r.PostFormValue("undo") != ""})
	if errors.Is(err, view.ErrUnchanged) { // done in another window: the page shows it
		err = nil
	}
	return projectURL(known.ID), err
}
