package dashboard

import (
	"context"
	"net/http"

	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

// How much the first page shows.
const (
	nowProjects = 12
	nowSessions = 12
)

// now is the first page: what is wrong, what is at work, where things stand.
type now struct {
	Health   healthView
	Ledger   view.LedgerStatus
	Live     []liveSession
	Projects []projectCard
	More     int // projects that are not shown
	Recent   []sessionRow
}

// liveSession is a session at work, with how full its context is.
type liveSession struct {
	view.LiveSession
	Name string
	ID   string // of the project
}

// projectCard is a project with where its newest session stands.
type projectCard struct {
	Project ledger.Project
	Newest  ledger.Session
	Digest  digest
}

func (p *Page) now(r *http.Request) (screen, error) {
	ctx := r.Context()
	status, err := p.Service.Status(ctx)
	if err != nil {
		return screen{}, err
	}
	sessions, err := p.Ledger.Sessions(ctx, ledger.SessionFilter{})
	if err != nil {
		return screen{}, err
	}
	data := now{
		Health: p.health.view(p.Now()), Ledger: status.Ledger,
		Live: p.liveOf(ctx, status.Live, sessions), Recent: p.rows(ctx, sessions[:min(nowSessions, len(sessions))], true),
	}
	newest := newestOf(sessions)
	data.More = max(0, len(newest)-nowProjects)
	data.Projects, err = p.cards(ctx, newest[:min(nowProjects, len(newest))])
	return screen{template: "now", title: "Now", at: "now", data: data}, err
}

// liveOf joins what is notified of the sessions at work with their names.
func (p *Page) liveOf(ctx context.Context, live []view.LiveSession, sessions []ledger.Session) []liveSession {
	named := map[ledger.SessionKey]ledger.Session{}
	for _, session := range sessions {
		named[session.SessionKey] = session
	}
	list := make([]liveSession, len(live))
	for i, status := range live {
		session := named[ledger.SessionKey{Tool: status.Tool, ID: status.Session}]
		list[i] = liveSession{LiveSession: status, Name: p.digests.name(ctx, p.Sessions, session, true), ID: session.Project.ID}
	}
	return list
}

// newestOf is the newest session of each project, newest first, of sessions in
// that order.
func newestOf(sessions []ledger.Session) []ledger.Session {
	seen := map[string]bool{"": true}
	var newest []ledger.Session
	for _, session := range sessions {
		if !seen[session.Project.ID] {
			seen[session.Project.ID] = true
			newest = append(newest, session)
		}
	}
	return newest
}

func (p *Page) cards(ctx context.Context, newest []ledger.Session) ([]projectCard, error) {
	cards := make([]projectCard, len(newest))
	for i, session := range newest {
		digest, err := p.digests.of(ctx, p.Sessions, session)
		if err != nil {
			return nil, err
		}
		cards[i] = projectCard{Project: session.Project, Newest: session, Digest: digest}
	}
	return cards, nil
}
